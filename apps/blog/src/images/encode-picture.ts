import { createHash } from 'node:crypto';
import { largestArticlePicture, pictureFile, shareFile, sharePicture, widthsOf } from '@decola/contracts';
import sharp from 'sharp';
import { PictureRefusedError } from './images.errors.js';

/** To be raised when pictures are encoded differently than before, so that the new files get other names. */
const encoding = 1;

/** Of a file that somebody gives us, or that another site sends. */
export const maxPictureFileBytes = 10 * 1024 * 1024;
/** Width times height of what is decoded: a small file can unfold to gigabytes. */
const maxPixels = 30_000_000;
/** Smaller ones count readers or hold a layout in place. */
const minSide = 16;
const maxSeconds = 20;

// A cache would hold decoded pictures, and threads multiply what one picture needs.
sharp.cache(false);
sharp.concurrency(1);
// libvips reads some twenty formats. Only those of `signatures` may reach their decoders, and SVG, which only covers of ours are drawn in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadSvgBuffer',
  ],
});

/** First bytes of the formats that are accepted, whatever a file's name or its server says. SVG is none of them: it can name other files. */
const signatures: readonly RegExp[] = [
  /^\xff\xd8\xff/, // JPEG
  /^\x89PNG\r\n\x1a\n/,
  /^GIF8[79]a/,
  /^RIFF[^]{4}WEBP/,
  /^[^]{4}ftypavi[fs]/, // AVIF
];

export interface PictureFile {
  name: string;
  bytes: Buffer;
}

export interface EncodedPicture {
  hash: string;
  /** Of the largest file, in pixels. */
  width: number;
  height: number;
  files: PictureFile[];
}

/**
 * Encodes a picture of any origin anew, in all its sizes. Nothing of the file survives but its pixels: no metadata (place, camera, author), no second picture
 * behind the first, no script in a comment.
 * @throws PictureRefusedError
 */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  if (bytes.length > maxPictureFileBytes) throw new PictureRefusedError('too_large');
  const start = bytes.subarray(0, 16).toString('latin1');
  if (!signatures.some((signature) => signature.test(start))) throw new PictureRefusedError('type');
  return encode(bytes);
}

/** Encodes a drawing of ours. */
export const encodeDrawing = (svg: string): Promise<EncodedPicture> => encode(Buffer.from(svg));

/** Size of a picture of ours. */
export async function measurePicture(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes).metadata();
  return { width, height };
}

async function encode(bytes: Buffer): Promise<EncodedPicture> {
  const { data, info } = await decode(bytes);
  const { width, height } = info;
  if (Math.min(width, height) < minSide) throw new PictureRefusedError('too_small');
  // The first decoding is the only one of foreign bytes; the sizes are made from its pixels.
  const pixels = () => sharp(data, { raw: { width, height, channels: info.channels } });
  const hash = createHash('sha256').update(`${encoding}\n`).update(bytes).digest('hex').slice(0, 32);
  const files: PictureFile[] = [];
  for (const each of widthsOf(width))
    files.push({
      name: pictureFile(hash, each),
      bytes: await pixels().resize({ width: each }).webp({ quality: 78, smartSubsample: true }).toBuffer(),
    });
  const share = pixels()
    .flatten({ background: '#ffffff' })
    .resize({ ...sharePicture, fit: 'cover', position: sharp.strategy.attention });
  files.push({ name: shareFile(hash), bytes: await share.jpeg({ quality: 82, progressive: true }).toBuffer() });
  return { hash, width, height, files };
}

/** Turns a file into the pixels of its first picture: upright, in sRGB, not larger than needed. */
async function decode(bytes: Buffer) {
  try {
    // Reads the head of the file alone, so no limit is needed; with one, a picture that is too large could not be told from a broken one.
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > maxPixels) throw new PictureRefusedError('too_large');
    if (Math.min(width, height) < minSide) throw new PictureRefusedError('too_small');
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize({ ...largestArticlePicture, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: maxSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    if (error instanceof PictureRefusedError) throw error;
    throw new PictureRefusedError('broken', error);
  }
}
