/** Texts that take turns, so that no text is used twice in a row. */
export class TextRotation {
  private last: string | null;

  /** @param used number of texts that earlier runs have used. */
  constructor(
    private readonly texts: readonly string[],
    private used: number,
  ) {
    this.last = used === 0 ? null : this.at(used - 1);
  }

  next(): string {
    // The customer may have entered a text twice.
    for (let skipped = 1; this.at(this.used) === this.last && skipped < this.texts.length; skipped += 1) this.used += 1;
    this.last = this.at(this.used);
    this.used += 1;
    return this.last;
  }

  private at(place: number): string {
    return this.texts[place % this.texts.length]!;
  }
}
