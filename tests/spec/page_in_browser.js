// Runs in a browser: opens the page of #page in frames of two widths, uses it as a reader would, and writes what
// was wrong into #out. test_report_browser.cpp puts it behind the page and reads #out.
(async () => {
  const page = JSON.parse(document.getElementById("page").textContent);
  const faults = [];
  const counts = { numbers: 0, hovers: 0, zooms: 0 };
  const check = (good, what) => good || faults.push(what);

  const open = (width) =>
    new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.style.width = width + "px";
      frame.style.height = "900px";
      frame.onload = () => done(frame);
      frame.srcdoc = page.replace(
        "<head>",
        "<head><script>window.faults = []; addEventListener('error', (e) => faults.push(e.message));</" + "script>",
      );
      document.body.append(frame);
    });

  // Every number that can be seen, against the result in the page.
  const numbers = (w) => {
    const at = (json, pointer) => pointer.split("/").slice(1).reduce((value, key) => value[key], json);
    const results = {};
    for (const script of w.document.querySelectorAll("script[type='application/json']"))
      results[script.id] = JSON.parse(script.textContent);
    const sum = (result, scheduler, key) =>
      scheduler === undefined
        ? at(result, key)
        : result.sub_partitions
            .filter((part) => part.sub_partition === Number(scheduler))
            .reduce((all, part) => all + at(part, key), 0);
    for (const element of w.document.querySelectorAll("data[data-key]")) {
      const { key, over, scheduler, run } = element.dataset;
      const result = results[run ? "result-" + run : "result"];
      const part = sum(result, scheduler, key);
      const whole = over === undefined ? 1 : sum(result, scheduler, over);
      const expected = whole === 0 ? 0 : part / whole;
      check(Number(element.value) === expected, `${key}: ${element.value} is not ${expected}`);
      const digits = element.textContent.replace(/[^0-9.-]/g, "");
      const percent = element.textContent.includes("%") || scheduler !== undefined;
      const places = (digits.split(".")[1] || "").length;
      const shown = percent ? expected * 100 : expected;
      const allowed = places ? 0.5000001 * 10 ** -places : 0;
      check(Math.abs(Number(digits) - shown) <= allowed, `${key}: '${element.textContent}' is not ${shown}`);
      if (!element.closest("details")) check(element.getClientRects().length > 0, `${key}: cannot be seen`);
      ++counts.numbers;
    }
  };

  const hover = (w, area, across, down) => {
    const box = area.getBoundingClientRect();
    const place = { clientX: box.left + box.width * across, clientY: box.top + box.height * down, bubbles: true };
    area.dispatchEvent(new w.PointerEvent("pointermove", place));
    const tip = w.document.getElementById("tip");
    const text = tip.hidden ? "" : tip.textContent;
    area.dispatchEvent(new w.PointerEvent("pointerleave"));
    check(tip.hidden, "the tip stays when the pointer has left");
    return text;
  };

  const figures = (w) => {
    const texts = {};
    for (const area of w.document.querySelectorAll(".area")) {
      const name = area.getAttribute("aria-label");
      area.scrollIntoView({ block: "center" });
      texts[name] = [0.05, 0.5, 0.95].map((across) => hover(w, area, across, 0.5));
      for (const text of texts[name]) check(/\d/.test(text), `${name}: nothing under the pointer: '${text}'`);
      check(new Set(texts[name]).size > 1, `${name}: the same everywhere: '${texts[name][0]}'`);
      counts.hovers += 3;

      const key = (key, more) => area.dispatchEvent(new w.KeyboardEvent("keydown", { key, ...more }));
      const tip = w.document.getElementById("tip");
      key("ArrowRight");
      const first = tip.textContent;
      check(!tip.hidden && /\d/.test(first), `${name}: keys read nothing`);
      for (let i = 0; i < 12; ++i) key("ArrowLeft");
      check(tip.textContent !== first, `${name}: keys do not move`);
      key("Escape");
      check(tip.hidden, `${name}: Escape leaves the tip`);
      if (!("zooms" in area.dataset)) continue;

      const svg = area.querySelector("svg");
      const axis = area.parentElement.querySelector(".x");
      const width = () => Number(svg.getAttribute("viewBox").split(" ")[2]);
      const whole = width();
      const labels = axis.textContent;
      const button = (label) => area.closest("figure").querySelector(`button[aria-label="${label}"]`).click();
      button("Zoom in");
      button("Zoom in");
      check(Math.abs(width() - whole / 4) < whole * 1e-9, `${name}: two steps in show ${width()} of ${whole}`);
      check(axis.textContent !== labels, `${name}: the axis does not follow`);
      check(/\d/.test(hover(w, area, 0.5, 0.5)), `${name}: nothing under the pointer when zoomed`);
      const start = () => Number(svg.getAttribute("viewBox").split(" ")[0]);
      const before = start();
      button("Later");
      check(start() > before, `${name}: does not go on`);
      button("Show all");
      check(width() === whole && axis.textContent === labels, `${name}: does not come back`);
      key("+");
      check(width() < whole, `${name}: + does nothing`);
      key("0");
      check(width() === whole, `${name}: 0 does nothing`);
      const box = area.getBoundingClientRect();
      const wheel = { deltaY: -1, ctrlKey: true, clientX: box.left + 9, cancelable: true };
      area.dispatchEvent(new w.WheelEvent("wheel", wheel));
      check(width() < whole, `${name}: the wheel does nothing`);
      area.dispatchEvent(new w.MouseEvent("dblclick", { clientX: box.left + 9 }));
      key("0");
      ++counts.zooms;
    }
    return texts;
  };

  for (const width of [1100, 390]) {
    const frame = await open(width);
    const w = frame.contentWindow;
    numbers(w);
    figures(w);
    const root = w.document.documentElement;
    check(root.scrollWidth <= width, `at ${width} the page is ${root.scrollWidth} wide`);
    const colour = () => w.getComputedStyle(w.document.body).backgroundColor;
    const before = colour();
    w.document.getElementById("theme").click();
    check(colour() !== before, "the other theme looks the same");
    for (const link of w.document.querySelectorAll("nav a"))
      check(w.document.querySelector(link.getAttribute("href")), `${link.textContent} leads nowhere`);
    for (const figure of w.document.querySelectorAll("figure"))
      check(figure.querySelector("details table td"), `${figure.id} has no alternative in text`);
    for (const fault of w.faults) faults.push("error: " + fault);
  }
  document.getElementById("out").textContent = JSON.stringify({ counts, faults }).replace(/[&<>]/g, "?");
})();
