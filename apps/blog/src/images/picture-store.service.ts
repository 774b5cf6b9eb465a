import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { blogImagesBucket, pictureFilePattern } from '@decola/contracts';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { BlogConfig } from '../config/config.js';
import type { PictureFile } from './encode-picture.js';

/** Writes a file as a whole or not at all: flydrive's own driver leaves half a file behind when the process ends meanwhile, under its final name. */
class WholeFiles extends FSDriver {
  constructor(private readonly root: string) {
    super({ location: root, visibility: 'public' });
  }

  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const target = path.join(this.root, key);
    const unfinished = `${target}.${randomUUID()}.part`;
    await mkdir(path.dirname(target), { recursive: true });
    try {
      const file = await open(unfinished, 'wx');
      try {
        await file.writeFile(contents);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

/** The files of pictures. A name follows from the content, so a file is written once and never changes. */
@Injectable()
export class PictureStore implements OnModuleInit {
  private readonly folder: string;
  private readonly disk: Disk;

  constructor(@Inject(CONFIG) { IMAGES_DIR }: Pick<BlogConfig, 'IMAGES_DIR'>) {
    this.folder = path.resolve(IMAGES_DIR);
    this.disk = new Disk(new WholeFiles(this.folder));
  }

  /** A folder that cannot be written is found now, and not by the first picture. */
  async onModuleInit(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await access(this.folder, constants.R_OK | constants.W_OK);
  }

  async save(files: readonly PictureFile[]): Promise<void> {
    for (const { name, bytes } of files) {
      const key = keyOf(name);
      if (!(await this.disk.exists(key))) await this.disk.put(key, bytes);
    }
  }

  /** @returns the file; null when there is none of this name */
  async read(name: string): Promise<Buffer | null> {
    if (!pictureFilePattern.test(name)) return null;
    try {
      return await buffer(await this.disk.getStream(keyOf(name)));
    } catch (error) {
      if (await this.disk.exists(keyOf(name))) throw error;
      return null;
    }
  }

  /** Deletes the file of this name, if there is one. */
  async delete(name: string): Promise<void> {
    if (pictureFilePattern.test(name)) await this.disk.delete(keyOf(name));
  }

  has(name: string): Promise<boolean> {
    return pictureFilePattern.test(name) ? this.disk.exists(keyOf(name)) : Promise.resolve(false);
  }
}

const keyOf = (name: string) => `${blogImagesBucket}/${name}`;

export const contentTypeOf = (name: string): string => (name.endsWith('.webp') ? 'image/webp' : 'image/jpeg');
