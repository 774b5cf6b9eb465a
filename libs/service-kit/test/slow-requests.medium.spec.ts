import net from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { baseConfig, createService } from '../src/index.js';

@Controller()
class QuickController {
  @Get('quick') quick() {
    return { ok: true };
  }
}

@Module({ controllers: [QuickController] })
class QuickModule {}

it('a connection whose request headers arrive too slowly is closed, other requests do not wait, and a body has a limit too', async () => {
  const app = await createService({
    name: 'quick',
    configSchema: baseConfig,
    module: () => QuickModule,
    environment: { PORT: '0', LOG_LEVEL: 'silent' },
  });
  try {
    const url = await app.getUrl();
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = net.connect(Number(port), hostname, () => socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n'));
    const slowHeaders = setInterval(() => socket.write('x: y\r\n'), 500);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    expect((await fetch(`${url}/quick`)).status).toBe(200);
    await ended;
    clearInterval(slowHeaders);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    // The limit of a whole request is asserted by its value: waiting for it would take five minutes.
    expect(app.getHttpServer().requestTimeout).toBe(300_000);
  } finally {
    await app.close();
  }
});
