import { startWordPress, type WordPress } from '../testing/wordpress.js';
import { newToken, Sender } from './support/sender.js';
import type { Bench } from './support/site.js';
import { administration } from './suites/administration.js';
import { articles } from './suites/articles.js';
import { content } from './suites/content.js';
import { ways } from './suites/doors.js';
import { media } from './suites/media.js';
import { pickup } from './suites/pickup.js';
import { seo } from './suites/seo.js';
import { editor } from './suites/editor.js';
import { signatures } from './suites/signatures.js';
import { uninstalling } from './suites/uninstalling.js';

// One WordPress for all suites: each makes its own articles, and gives settings back.
let shared: Bench;
let site: WordPress;

beforeAll(async () => {
  const token = newToken();
  site = await startWordPress({ token });
  shared = { site, sender: new Sender(site, token) };
  // Whoever activates the plugin is nobody here.
  await site.php('Decola_Settings::adopt_author( 1 );');
});
afterAll(() => site?.stop());

const bench = () => shared;

signatures(bench);
ways(bench);
articles(bench);
content(bench);
seo(bench);
media(bench);
editor(bench);
administration(bench);
pickup(bench);
// The last one: it removes the plugin.
uninstalling(bench);
