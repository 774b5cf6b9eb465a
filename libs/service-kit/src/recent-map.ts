/** A map with a limited number of entries: the one that was used longest ago is dropped for a new one. */
export class RecentMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** The value of a key, which counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  /** @returns the key that was dropped */
  set(key: Key, value: Value): Key | undefined {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return undefined;
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest!);
    return oldest;
  }

  delete(key: Key): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
