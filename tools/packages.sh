# Sourced by quickstart and check: installs Debian packages that are missing. Needs root or sudo only if any is.
install_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

build_packages=(g++ cmake ninja-build libboost-iostreams-dev libboost-math-dev libboost-program-options-dev libprotozero-dev
                libspdlog-dev libsqlite3-dev libyaml-cpp-dev nlohmann-json3-dev librandom123-dev)
test_packages=(doctest-dev python3 python3-yaml python3-jsonschema scdoc)
# tests/cluster/: those tests are skipped where these are not installed, but not on CI.
cluster_packages=(slurm-wlm munge parallel)
