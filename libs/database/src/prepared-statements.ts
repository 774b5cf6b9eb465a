import { createHash } from 'node:crypto';
import { RecentMap } from '@decola/service-kit';

/** Texts that are compared with later ones. Their number times the longest one bounds the memory. */
const rememberedTexts = 256;
/** Characters of the longest text that gets a name. */
const longestText = 32 * 1024;

/** A statement's name is a digest of its text: where a pooler hands a session to another client, a name can never stand for another statement. */
export const nameFor = (text: string) => `read_${createHash('sha256').update(text).digest('base64url')}`;

/** Gives names to statements that are repeated: a text gets one when it is seen for the second time, so that texts that never return displace nothing. */
export class StatementNames {
  private readonly names = new RecentMap<string, string>(rememberedTexts);

  /** @returns undefined for a text that was not seen lately */
  nameOf(text: string): string | undefined {
    if (text.length > longestText) return undefined;
    const known = this.names.get(text);
    if (known === undefined) this.names.set(text, '');
    if (known !== '') return known;
    const name = nameFor(text);
    this.names.set(text, name);
    return name;
  }
}

/** The statements that one connection has prepared. */
export class PreparedStatements {
  private readonly names: RecentMap<string, true>;
  /** False once the server did not know a statement that was prepared: a pooler shares the session and keeps no names. */
  areKept = true;

  constructor(max: number) {
    this.names = new RecentMap(max);
  }

  get size(): number {
    return this.names.size;
  }

  /** Whether the statement is prepared; this counts as a use. */
  has(name: string): boolean {
    return this.names.get(name) === true;
  }

  /** @returns the statement that has to be closed in its place */
  add(name: string): string | undefined {
    return this.names.set(name, true);
  }

  /** To be prepared again: the schema may have changed, or its preparation failed. */
  forget(name: string): void {
    this.names.delete(name);
  }
}
