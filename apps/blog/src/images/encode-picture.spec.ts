import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { encodePicture, maxPictureFileBytes, measurePicture } from './encode-picture.js';
import { PictureRefusedError } from './images.errors.js';

const root = path.resolve(__dirname, '../../../..');
/** A photo-like picture: noise compresses badly, like a photo. */
const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } });
const outcomeOf = (bytes: Buffer) =>
  encodePicture(bytes).then(
    () => 'encoded',
    (error: unknown) => (error instanceof PictureRefusedError ? error.reason : `other: ${String(error)}`),
  );

/** A chunk of a PNG file. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** A PNG of one bit per pixel, all of them black: a few kilobytes, whatever its size. */
function blackPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

describe('a picture', () => {
  it('is stored as WebP in three widths and as a JPEG for link previews', async () => {
    // A screenshot of the product.
    const encoded = await encodePicture(readFileSync(path.join(root, 'docs/dashboard.png')));
    expect(encoded.hash).toMatch(/^[0-9a-f]{32}$/);
    expect(encoded.files.map(({ name }) => name)).toEqual([
      `${encoded.hash}-480.webp`,
      `${encoded.hash}-800.webp`,
      `${encoded.hash}-1200.webp`,
      `${encoded.hash}-share.jpg`,
    ]);
    const sizes = await Promise.all(encoded.files.map(({ bytes }) => sharp(bytes).metadata()));
    expect(sizes.map(({ format, width }) => [format, width])).toEqual([
      ['webp', 480],
      ['webp', 800],
      ['webp', 1200],
      ['jpeg', 1200],
    ]);
    expect(sizes[3]!.height).toBe(630);
    expect(await measurePicture(encoded.files[2]!.bytes)).toEqual({ width: encoded.width, height: encoded.height });
    expect(encoded.files.every(({ bytes }) => bytes.length < 300_000)).toBe(true);
  });

  it('has the same name whenever it is stored again, and another one with other bytes', async () => {
    const bytes = await noise(300, 200).png().toBuffer();
    const [one, again] = [await encodePicture(bytes), await encodePicture(bytes)];
    expect(again).toEqual(one);
    expect((await encodePicture(await noise(300, 200).png().toBuffer())).hash).not.toBe(one.hash);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('may be %s', async (format) => {
    const bytes = await noise(160, 90).toFormat(format).toBuffer();
    expect(await encodePicture(bytes)).toMatchObject({ width: 160, height: 90 });
  });

  it('is never enlarged', async () => {
    const { hash, width, height, files } = await encodePicture(await noise(600, 300).jpeg().toBuffer());
    expect({ width, height }).toEqual({ width: 600, height: 300 });
    expect(files.map(({ name }) => name)).toEqual([`${hash}-480.webp`, `${hash}-600.webp`, `${hash}-share.jpg`]);
  });

  it('is scaled down as a whole when it is very tall', async () => {
    const plain = sharp({ create: { width: 400, height: 4_800, channels: 3, background: '#888' } });
    expect(await encodePicture(await plain.jpeg().toBuffer())).toMatchObject({ width: 200, height: 2_400 });
  });

  it('stands upright, and loses place, camera and author', async () => {
    const taken = await noise(400, 200)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Fulana de Tal', Make: 'Camera' }, IFD3: { GPSLatitude: '23/1 33/1 0/1', GPSLatitudeRef: 'S' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(taken).metadata()).orientation).toBe(6);
    const { width, height, files } = await encodePicture(taken);
    expect({ width, height }).toEqual({ width: 200, height: 400 });
    for (const { bytes } of files) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
      expect(bytes.toString('latin1')).not.toMatch(/Fulana|Camera/);
    }
  });

  it('keeps its transparency, and is on white where there is none', async () => {
    const clear = sharp({ create: { width: 300, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const { files } = await encodePicture(await clear.png().toBuffer());
    expect((await sharp(files[0]!.bytes).metadata()).hasAlpha).toBe(true);
    expect((await sharp(files.at(-1)!.bytes).stats()).channels.every(({ min }) => min > 250)).toBe(true);
  });

  it('has the first picture of an animation only', async () => {
    const frames = [sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } }), noise(64, 64)];
    const inputs = await Promise.all(frames.map((frame) => frame.png().toBuffer()));
    const animation = await sharp(inputs, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(2);
    const { width, height, files } = await encodePicture(animation);
    expect({ width, height, pages: (await sharp(files[0]!.bytes).metadata()).pages ?? 1 }).toEqual({ width: 64, height: 64, pages: 1 });
    const [red, green] = (await sharp(files[0]!.bytes).stats()).channels;
    expect([red!.mean > 230, green!.mean < 30]).toEqual([true, true]);
  });
});

describe('a hostile file', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><image href="file:///etc/passwd" width="9" height="9"/></svg>';
  it.each([
    ['an SVG', svg],
    ['an SVG behind spaces', `\n\n  <?xml version="1.0"?>${svg}`],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7\n1 0 obj'],
    ['a TIFF', 'II*\0\x08\0\0\0'],
    ['a Photoshop file', '8BPS\0\x01'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['text', 'hello'],
    ['nothing', ''],
  ])('is refused by its first bytes: %s', async (_, text) => expect(await outcomeOf(Buffer.from(text, 'latin1'))).toBe('type'));

  it.each([
    ['a JPEG without its second half', async () => (await noise(800, 600).jpeg().toBuffer()).subarray(0, 20_000)],
    ['a PNG with broken rows', async () => (await noise(300, 300).png().toBuffer()).fill(0xaa, 5_000, 9_000)],
    ['a signature and nothing else', () => Promise.resolve(Buffer.from('\xff\xd8\xff\xe0', 'latin1'))],
    ['a signature and a page', () => Promise.resolve(Buffer.from('GIF89a<script>alert(1)</script>'))],
    ['a WebP that is an SVG', () => Promise.resolve(Buffer.from(`RIFF\x10\0\0\0WEBP${svg}`, 'latin1'))],
  ])('is refused when it cannot be decoded: %s', async (_, make) => expect(await outcomeOf(await make())).toBe('broken'));

  it('is refused when it unfolds to more pixels than are decoded, however small it is', async () => {
    const bomb = blackPng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    expect(await outcomeOf(bomb)).toBe('too_large');
    // Its rows alone say that they are a gigabyte.
    expect(await outcomeOf(blackPng(65_000, 500))).toBe('too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  it('is refused when it has more bytes than allowed', async () => {
    const picture = await noise(300, 300).jpeg().toBuffer();
    expect(await outcomeOf(Buffer.concat([picture, Buffer.alloc(maxPictureFileBytes)]))).toBe('too_large');
  });

  it.each([
    [1, 1],
    [15, 400],
    [400, 15],
    [9, 5_000],
  ])('is refused when it only counts readers or holds a place: %s × %s', async (width, height) =>
    expect(await outcomeOf(await noise(width, height).png().toBuffer())).toBe('too_small'),
  );

  it('leaves nothing behind of what was hidden after or inside the picture', async () => {
    // Of one colour: among the bytes of a noisy picture three letters stand by chance.
    const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888' } })
      .jpeg()
      .withExif({ IFD0: { ImageDescription: '<script>alert("exif")</script>' } })
      .toBuffer();
    const { files } = await encodePicture(Buffer.concat([picture, Buffer.from('<?php system($_GET[0]); ?><script>alert(1)</script>')]));
    for (const { bytes } of files) expect(bytes.toString('latin1')).not.toMatch(/script|php|alert/);
  });
});

describe('the largest picture that is decoded', () => {
  it('takes a bounded amount of memory', async () => {
    const large = blackPng(6_000, 4_990);
    const before = process.memoryUsage().rss;
    expect(await encodePicture(large)).toMatchObject({ width: 1200, height: 998 });
    expect(process.memoryUsage().rss - before).toBeLessThan(160 * 1024 * 1024);
  });
});
