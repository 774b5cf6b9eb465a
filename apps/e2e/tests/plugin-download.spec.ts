import { unzip } from '@decola/testing/unzip';
import { expect, test } from '../src/journey.js';

test('the plugin for WordPress is downloaded from the site, as WordPress takes it', async ({ harness }) => {
  const answer = await fetch(`${harness.gateway}/plugin-wordpress.zip`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  expect(files.get('decola/decola.php')?.toString('utf8')).toContain(' * Plugin Name:       Decola\n');
});
