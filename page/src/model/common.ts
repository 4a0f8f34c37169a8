// What the cost a row of all operators of two runs has in common, as `planflame diff` has it
// (costmodel/bridge.go). Costs are nanoseconds of a run.

export interface ModelSide {
  there: boolean;
  cpu: number;
  variance: number;
  sample: number; // ns that one sample stands for
  rows: number;
  rowsKnown: boolean;
}

export interface Pair {
  old: ModelSide;
  new: ModelSide;
}

// Common is a factor as a logarithm with its standard error.
export interface Common {
  log: number;
  se: number;
}

export const noCommon: Common = { log: 0, se: 0 };

// Fewer operators have a median that is one operator's.
const fewest = 5;

export function commonOf(pairs: Pair[]): Common {
  const all: { log: number; weight: number }[] = [];
  for (const { old, new: now } of pairs) {
    if (!old.there || !now.there || !old.rowsKnown || !now.rowsKnown || !(old.rows > 0) || !(now.rows > 0)) continue;
    const both = (old.cpu + now.cpu) / (old.rows + now.rows);
    const [a, b] = [shrunk(old, both), shrunk(now, both)];
    if (a <= 0 || b <= 0) continue; // no sample on either side
    all.push({ log: Math.log(((b / now.rows) * old.rows) / a), weight: 1 / (relative(old, a) + relative(now, b)) });
  }
  if (all.length < fewest) return noCommon;
  const total = all.reduce((sum, r) => sum + r.weight, 0);
  const squares = all.reduce((sum, r) => sum + r.weight ** 2, 0);
  const median = () => {
    all.sort((a, b) => a.log - b.log);
    let below = 0;
    return all.find((r) => (below += r.weight) >= total / 2)?.log ?? all.at(-1)!.log;
  };
  const log = median();
  for (const r of all) r.log = Math.abs(r.log - log);
  return { log, se: 1.2533 * Math.max(((median() / 0.6745) * Math.sqrt(squares)) / total, Math.sqrt(1 / total)) };
}

// shrunk draws a side's cost towards the one of both sides by one sample.
function shrunk(s: ModelSide, both: number): number {
  const usual = both * s.rows;
  return usual > 0 ? ((s.cpu + s.sample) * usual) / (usual + s.sample) : s.cpu;
}

// relative is the variance of the logarithm of a side's cost.
function relative(s: ModelSide, cpu: number): number {
  return cpu <= 0 ? 1 : s.variance / (cpu * cpu) + s.sample / cpu;
}
