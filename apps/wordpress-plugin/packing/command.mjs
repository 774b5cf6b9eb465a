/**
 * Packs the plugin into a ZIP file. Argument: the file; else the one in `dist`. `PRODUCT_NAME` is the name that customers see, `SITE_URL` the address that
 * the plugin asks for articles.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPlugin, pluginVersion } from './pack.mjs';

const own = fileURLToPath(new URL('../dist/plugin-wordpress.zip', import.meta.url));
const target = path.resolve(process.argv[2] ?? own);
const files = await packPlugin(target, process.env.PRODUCT_NAME, process.env.SITE_URL);
process.stdout.write(`${path.relative(process.cwd(), target)}: version ${pluginVersion()}, ${files.length} files\n`);
