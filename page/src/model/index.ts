// PairIndex gives pairs of numbers dense ids in the order in which they come.
export class PairIndex {
  size = 0;
  private first: Int32Array;
  private second: Int32Array;
  private table: Int32Array;

  constructor(expected = 1024) {
    let room = 2048;
    while (room < 2 * expected) room *= 2;
    this.first = new Int32Array(room / 2);
    this.second = new Int32Array(room / 2);
    this.table = new Int32Array(room).fill(-1);
  }

  // id finds a pair or creates its id.
  id(a: number, b: number): number {
    const mask = this.table.length - 1;
    let at = hash(a, b) & mask;
    for (let found = this.table[at]!; found >= 0; found = this.table[at]!) {
      if (this.first[found] === a && this.second[found] === b) return found;
      at = (at + 1) & mask;
    }
    if (this.size === this.first.length) {
      this.grow();
      return this.id(a, b);
    }
    this.first[this.size] = a;
    this.second[this.size] = b;
    this.table[at] = this.size;
    return this.size++;
  }

  firsts(): Int32Array {
    return this.first.slice(0, this.size);
  }

  seconds(): Int32Array {
    return this.second.slice(0, this.size);
  }

  private grow() {
    const room = this.table.length * 2;
    const first = new Int32Array(room / 2);
    const second = new Int32Array(room / 2);
    first.set(this.first);
    second.set(this.second);
    this.table = new Int32Array(room).fill(-1);
    for (let i = 0; i < this.size; i++) {
      let at = hash(first[i]!, second[i]!) & (room - 1);
      while (this.table[at]! >= 0) at = (at + 1) & (room - 1);
      this.table[at] = i;
    }
    this.first = first;
    this.second = second;
  }
}

function hash(a: number, b: number): number {
  const h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b);
  return h ^ (h >>> 15);
}
