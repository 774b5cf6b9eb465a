import { z } from 'zod';

/** Where the pictures of articles are stored. */
export const imagesConfig = {
  IMAGES_DIR: z.string().min(1).default('/data/images').describe('folder of the pictures of articles; all replicas share it'),
};
