// How figures are written. One place, so that a figure reads alike in every view.

export function seconds(ns: number): string {
  const s = Math.abs(ns) / 1e9;
  const sign = ns < 0 ? "−" : "";
  if (s === 0) return "0";
  if (s >= 99.95) return `${sign}${s.toFixed(0)} s`;
  if (s >= 9.995) return `${sign}${s.toFixed(1)} s`;
  if (s >= 0.9995) return `${sign}${s.toFixed(2)} s`;
  if (s >= 0.00995) return `${sign}${(s * 1e3).toFixed(0)} ms`;
  return `${sign}${(s * 1e3).toFixed(1)} ms`;
}

export function share(part: number, whole: number): string {
  if (!whole) return "";
  const p = (100 * part) / whole;
  if (p === 0) return "0 %";
  if (p < 0.1) return "<0.1 %";
  return p < 9.95 ? `${p.toFixed(1)} %` : `${p.toFixed(0)} %`;
}

export function count(n: number): string {
  if (n >= 999.5e6) return `${(n / 1e9).toFixed(2)} G`;
  if (n >= 999.5e3) return `${(n / 1e6).toFixed(2)} M`;
  if (n >= 9995) return `${(n / 1e3).toFixed(0)} k`;
  return String(Math.round(n));
}

export function perRow(ns: number): string {
  if (ns >= 1e6) return `${(ns / 1e6).toFixed(1)} ms`;
  if (ns >= 1e4) return `${(ns / 1e3).toFixed(0)} µs`;
  if (ns >= 1e3) return `${(ns / 1e3).toFixed(1)} µs`;
  return ns >= 10 ? `${ns.toFixed(0)} ns` : `${ns.toFixed(1)} ns`;
}

// clock writes a time of the recording, as finely as a distance of `by` µs asks.
export function clock(us: number, by = 1e4): string {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(by / 1e6) - 1e-9)));
  return `${(us / 1e6).toFixed(us >= 1e8 && by >= 1e4 ? Math.min(1, digits) : digits)} s`;
}

// generated shortens what the names of all generated classes have in front.
export function generated(name: string): string {
  return name.replace(/^.*\bGenerated(?:Class\$Generated)?IteratorForCodegenStage(\d+)/, "codegen $1").replace(/^.*\bGeneratedClass\$/, "");
}

// failedRuns says how many runs failed, "" if none did.
export function failedRuns(failed: number, runs: number): string {
  return failed ? `${failed} of ${runs} runs failed` : "";
}

// shortName is a frame's name without its package.
export function shortName(name: string): string {
  if (name.includes("GeneratedClass$")) return generated(name);
  if (name.includes(" ") || name.includes("::")) return name;
  return name.replace(/^(?:[a-z_$][\w$]*[./])+(?=[A-Z])/, "");
}

// methodOf is what a frame's name ends with: the method, or all that has none.
export function methodOf(name: string): string {
  const short = shortName(name);
  return short[0] !== "[" && /\w\.\w+\S*$/.test(short) ? short.slice(short.lastIndexOf(".") + 1) : short;
}

export function signed(ns: number): string {
  return `${ns > 0 ? "+" : ""}${seconds(ns)}`;
}
