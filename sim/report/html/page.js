// What a reader can do with the drawings: hover, read them by keys, zoom. Without it the page still shows all.
(() => {
  "use strict";
  const tip = document.getElementById("tip");
  const mostZoom = 400;

  // As ticks() in plot.cpp.
  const ticks = (least, most, about) => {
    const range = most - least;
    if (!(range > 0)) return [least];
    let step = 1;
    while (range / step > about * 10) step *= 10;
    step *= [1, 2, 5, 10].find((factor) => range / (step * factor) <= about) || 10;
    const places = [];
    for (let at = Math.ceil(least / step) * step; at <= most; at += step) places.push(at);
    return places;
  };
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202F");

  // Readers: what is at (x, y)? They answer with a text and where the cursor should stand.
  const pointsOf = (area) =>
    area.querySelector("[data-points]").dataset.points.split("\n").map((line) => {
      const [x, name, text] = line.split("|");
      return { x: Number(x), text: name + "\n" + text };
    });
  // "points": the nearest one; "steps": the last that has begun.
  const pointReader = (area, nearest) => {
    const points = pointsOf(area);
    const index = (x) => {
      let best = 0;
      for (let i = 1; i < points.length; ++i)
        if (nearest ? Math.abs(points[i].x - x) < Math.abs(points[best].x - x) : points[i].x <= x) best = i;
      return best;
    };
    return {
      read: (x) => points[index(x)],
      next: (x, by) => points[Math.min(points.length - 1, Math.max(0, index(x) + by))].x,
    };
  };
  // "spans": bars in rows; the drawing itself holds where each begins and how long it is.
  const spanReader = (area) => {
    const unit = Number(area.dataset.unit);
    const origin = Number(area.dataset.origin);
    const { rowName, placeName } = area.dataset;
    const group = Number(area.dataset.group || 0);
    const nameOf = (row) =>
      group > 0 ? `${rowName} ${Math.floor(row / group)}, ${placeName} ${row % group}` : `${rowName} ${row}`;
    const rows = new Map();
    for (const path of area.querySelectorAll("path[data-name]")) {
      const ids = path.dataset.ids.split(" ");
      let i = 0;
      for (const [, x, y, width] of path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)/g)) {
        const row = Math.floor(Number(y));
        if (!rows.has(row)) rows.set(row, []);
        rows.get(row).push({ x: Number(x), width: Number(width), name: path.dataset.name, id: ids[i++] });
      }
    }
    for (const row of rows.values()) row.sort((a, b) => a.x - b.x);
    const cycles = (x) => Math.round(origin + x * unit);
    return {
      read: (x, y) => {
        const row = Math.min(Number(area.dataset.rows) - 1, Math.max(0, Math.floor(y)));
        const span = (rows.get(row) || []).find((s) => s.x <= x && x < s.x + s.width);
        const where = nameOf(row);
        if (!span) return { x, text: `${where}\nnothing at cycle ${grouped(cycles(x))}` };
        const [block, warp] = span.id.split(".");
        const name = `block ${block}${warp === undefined ? "" : ", warp " + warp}: ${span.name}`;
        const from = cycles(span.x);
        const length = cycles(span.x + span.width) - from;
        return { x, text: `${where}\n${name}\n${grouped(length)} cycles from ${grouped(from)}` };
      },
      next: (x, by, view) => x + (by * (view.to - view.from)) / 50,
    };
  };
  const readerOf = (area) => {
    if (area.dataset.reader === "spans") return spanReader(area);
    return pointReader(area, area.dataset.reader === "points");
  };

  const showTip = (text, clientX, clientY) => {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(clientX + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = (clientY + 18 + box.height > innerHeight ? clientY - box.height - 12 : clientY + 18) + "px";
  };

  for (const area of document.querySelectorAll(".area")) {
    const svg = area.querySelector("svg");
    const axis = area.parentElement.querySelector(".x");
    const whole = { from: Number(area.dataset.from), to: Number(area.dataset.to) };
    const rows = Number(area.dataset.rows);
    const unit = Number(area.dataset.unit);
    const origin = Number(area.dataset.origin);
    const zooms = "zooms" in area.dataset;
    let view = { ...whole };
    let reader = null;
    let at = null; // the cursor, in the drawing's units
    const cursor = document.createElement("div");
    cursor.className = "cursor";
    cursor.hidden = true;
    area.append(cursor);

    const left = (x) => (100 * (x - view.from)) / (view.to - view.from) + "%";
    const show = () => {
      svg.setAttribute("viewBox", `${view.from} 0 ${view.to - view.from} ${rows}`);
      for (const label of area.querySelectorAll(".label")) label.style.left = left(Number(label.dataset.x));
      axis.replaceChildren(
        ...ticks(origin + view.from * unit, origin + view.to * unit, 5).map((tick) => {
          const span = document.createElement("span");
          span.textContent = grouped(tick);
          span.style.left = left((tick - origin) / unit);
          return span;
        }),
      );
      if (at) cursor.style.left = left(at.x);
    };
    const move = (from, width) => {
      const start = Math.max(whole.from, Math.min(from, whole.to - width));
      view = { from: start, to: start + width };
      show();
    };
    const zoom = (factor, x) => {
      const width = Math.min(
        whole.to - whole.from,
        Math.max((view.to - view.from) / factor, (whole.to - whole.from) / mostZoom),
      );
      move(x - ((x - view.from) * width) / (view.to - view.from), width);
    };
    const read = (x, y, clientX, clientY) => {
      reader = reader || readerOf(area);
      const found = reader.read(x, y);
      at = { x: found.x, y };
      cursor.hidden = false;
      cursor.style.left = left(found.x);
      const box = area.getBoundingClientRect();
      const middle = box.left + (box.width * (found.x - view.from)) / (view.to - view.from);
      showTip(found.text, clientX ?? middle, clientY ?? box.top + (box.height * y) / rows);
    };
    const hide = () => {
      tip.hidden = true;
      cursor.hidden = true;
    };
    const place = (event) => {
      const box = svg.getBoundingClientRect();
      return {
        x: view.from + ((event.clientX - box.left) / box.width) * (view.to - view.from),
        y: ((event.clientY - box.top) / box.height) * rows,
      };
    };

    let drag = null;
    area.addEventListener("pointermove", (event) => {
      if (drag) {
        const box = svg.getBoundingClientRect();
        move(drag.from - ((event.clientX - drag.clientX) / box.width) * (view.to - view.from), view.to - view.from);
      }
      const { x, y } = place(event);
      read(x, y, event.clientX, event.clientY);
    });
    area.addEventListener("pointerdown", (event) => {
      if (!zooms || event.button !== 0) return;
      drag = { from: view.from, clientX: event.clientX };
      area.setPointerCapture(event.pointerId);
    });
    area.addEventListener("pointerup", () => (drag = null));
    area.addEventListener("pointerleave", hide);
    area.addEventListener("blur", hide);
    if (zooms) {
      area.addEventListener("dblclick", (event) => zoom(3, place(event).x));
      area.addEventListener(
        "wheel",
        (event) => {
          if (!event.ctrlKey) return; // the wheel alone scrolls the page
          event.preventDefault();
          zoom(event.deltaY < 0 ? 1.3 : 1 / 1.3, place(event).x);
        },
        { passive: false },
      );
    }
    area.addEventListener("keydown", (event) => {
      const width = view.to - view.from;
      const middle = at && at.x >= view.from && at.x <= view.to ? at.x : view.from + width / 2;
      const y = at ? at.y : rows / 2;
      const step = (by) => {
        reader = reader || readerOf(area);
        const x = Math.max(whole.from, Math.min(reader.next(middle, by, view), whole.to));
        if (x < view.from || x > view.to) move(x - width / 2, width);
        read(x, y);
      };
      const turn = (by) => read(middle, Math.max(0.5, Math.min(Math.floor(y) + 0.5 + by, rows - 0.5)));
      const keys = {
        ArrowLeft: () => (event.shiftKey && zooms ? move(view.from - width / 4, width) : step(-1)),
        ArrowRight: () => (event.shiftKey && zooms ? move(view.from + width / 4, width) : step(1)),
        ArrowUp: () => area.dataset.reader === "spans" && turn(-1),
        ArrowDown: () => area.dataset.reader === "spans" && turn(1),
        Escape: hide,
      };
      if (zooms) {
        keys["+"] = keys["="] = () => zoom(2, middle);
        keys["-"] = () => zoom(0.5, middle);
        keys["0"] = () => move(whole.from, whole.to - whole.from);
      }
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });

    if (zooms) {
      const tools = document.createElement("div");
      tools.className = "tools";
      const button = (text, name, action) => {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = text;
        made.setAttribute("aria-label", name);
        made.addEventListener("click", action);
        tools.append(made);
      };
      const middle = () => (view.from + view.to) / 2;
      button("+", "Zoom in", () => zoom(2, middle()));
      button("\u2212", "Zoom out", () => zoom(0.5, middle()));
      button("\u2190", "Earlier", () => move(view.from - (view.to - view.from) / 4, view.to - view.from));
      button("\u2192", "Later", () => move(view.from + (view.to - view.from) / 4, view.to - view.from));
      button("All", "Show all", () => move(whole.from, whole.to - whole.from));
      tools.append("drag, double click, Ctrl + wheel; or keys: + \u2212 0, arrows, Shift + arrows");
      area.parentElement.before(tools);
    }
  }

  // A mark near the right edge has its text on the left.
  for (const label of document.querySelectorAll(".label.own-text"))
    label.classList.toggle("flip", parseFloat(label.style.left) > 65);

  const theme = document.getElementById("theme");
  const root = document.documentElement;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => (theme.textContent = isDark() ? "Light" : "Dark");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  name();
})();
