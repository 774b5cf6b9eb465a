import type { PictureRefusal } from '../texts/images-texts.js';

/** A picture that cannot be had. Nothing of the file or of the other server's words is in the message. */
export class PictureRefusedError extends Error {
  override readonly name = 'PictureRefusedError';
  constructor(
    readonly reason: PictureRefusal,
    cause?: unknown,
  ) {
    super(`the picture is refused: ${reason}`, { cause });
  }
}
