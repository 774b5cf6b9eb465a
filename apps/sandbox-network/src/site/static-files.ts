import type { FastifyInstance } from 'fastify';
import { pictureKinds } from '../population/picture-kinds.js';
import type { World } from '../state/world.js';
import { pageScript } from './page-script.js';
import { avatar, photo } from './pictures.js';
import { storyVideo } from './story-video.js';
import { styleSheet } from './styles.js';

const forever = 'public, max-age=31536000, immutable';

/** Script, style sheets and pictures of the page. */
export function staticFiles(app: FastifyInstance, world: World): void {
  const script = pageScript();
  const video = storyVideo();

  app.get<{ Params: { file: string } }>('/static/bundles/:file', (request, reply) => {
    const [revision = '', kind] = request.params.file.split('.');
    const build = world.buildOf(revision);
    if (!build) return reply.code(404).send();
    void reply.header('cache-control', forever);
    return kind === 'css'
      ? reply.type('text/css; charset=utf-8').send(styleSheet(build))
      : reply.type('text/javascript; charset=utf-8').send(script);
  });
  app.get<{ Params: { file: string } }>('/static/avatars/:file', async (request, reply) => {
    const kind = parseInt(request.params.file);
    return reply
      .header('cache-control', forever)
      .type('image/jpeg')
      .send(await avatar(Number.isNaN(kind) ? null : kind % pictureKinds));
  });
  app.get<{ Params: { file: string } }>('/static/media/:file', async (request, reply) => {
    const kind = parseInt(request.params.file) || 0;
    return reply
      .header('cache-control', forever)
      .type('image/jpeg')
      .send(await photo(kind % pictureKinds));
  });
  // A video that never plays: its file is not one.
  app.get<{ Params: { file: string } }>('/static/stories/:file', (request, reply) =>
    request.params.file.startsWith('broken')
      ? reply.type('video/mp4').send(Buffer.alloc(16))
      : reply.header('cache-control', forever).type('audio/wav').send(video),
  );
  app.get('/favicon.ico', (_request, reply) => reply.code(204).send());
}
