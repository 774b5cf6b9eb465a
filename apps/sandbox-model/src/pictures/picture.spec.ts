import sharp from 'sharp';
import { pictureOf } from './picture.js';

it('is a picture of the size wanted, the same for the same seed', async () => {
  const picture = pictureOf('1536x1024', 'a');
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: 'png', width: 1536, height: 1024 });
  // Every pixel can be read, and they are not all alike.
  const { channels } = await sharp(picture).stats();
  expect(channels.every(({ stdev }) => stdev > 1)).toBe(true);
  expect(pictureOf('256x256', 'a').equals(pictureOf('256x256', 'a'))).toBe(true);
  expect(pictureOf('256x256', 'a').equals(pictureOf('256x256', 'b'))).toBe(false);
});
