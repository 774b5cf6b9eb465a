import { wheelLimits } from '@decola/contracts';

/** Pictures that browsers decode without running anything in them: no SVG. */
export const pictureTypes = ['image/png', 'image/webp', 'image/jpeg'] as const;

/** Longest sides that are tried, in pixels: the page shows a logo at 72 px, and screens have up to three pixels for one. */
const sides = [256, 192, 128, 96, 64];
const qualities = [0.92, 0.8, 0.65];

/** Why a picture cannot be the logo. */
export class LogoRefused extends Error {
  constructor(readonly reason: 'not_picture' | 'too_large') {
    super(reason);
    this.name = 'LogoRefused';
  }
}

/** A picture, scaled until it fits, as a data URL of a WebP or, where the browser cannot write that, a PNG. @throws LogoRefused */
export async function logoOf(file: Blob): Promise<string> {
  if (!pictureTypes.some((type) => type === file.type)) throw new LogoRefused('not_picture');
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture || picture.width === 0) throw new LogoRefused('not_picture');
  try {
    for (const side of sides) {
      for (const [type, quality] of [...qualities.map((each) => ['image/webp', each] as const), ['image/png', 1] as const]) {
        const written = await drawn(picture, side, type, quality);
        if (written && written.size <= wheelLimits.logoBytes) return await dataUrl(written);
      }
    }
  } finally {
    picture.close();
  }
  throw new LogoRefused('too_large');
}

/** Null when the browser cannot write this type: it writes another one then. */
async function drawn(picture: ImageBitmap, side: number, type: string, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  return blob?.type === type ? blob : null;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new LogoRefused('not_picture'));
    reader.readAsDataURL(blob);
  });
}
