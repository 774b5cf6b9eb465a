/**
 * Draws the site's icons and the picture of link previews into `apps/web/public`, from the tokens, the typeface and the mark of the web app. The pictures
 * are kept in the repository: run this again when the look changes, after the web app was built once (its build cuts the typeface).
 *
 * Usage: CHROMIUM_PATH=/path/to/chromium node tools/draw-site-images.mjs
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';

const root = path.resolve(import.meta.dirname, '..');
const source = (file) => readFileSync(path.join(root, 'apps/web/src/styles', file), 'utf8');
const target = path.join(root, 'apps/web/public');
const typeface = readFileSync(path.join(root, 'node_modules/.cache/decola/decola-sans.woff2')).toString('base64');

const mark = (sky, ground) =>
  `<g transform="rotate(-18 14 14)"><path fill="${sky}" d="M1 12.6a13 13 0 0 1 26 0z"/><path fill="${ground}" d="M1 15.4h26a13 13 0 0 1-26 0z"/></g>`;
const night = { ground: '#0a0c11', mark: mark('#f2f4f7', '#ff5a14') };

/** A square icon. @param margin share of the side on each side of the mark. @param radius share of the side */
const icon = (side, margin, radius) => `<!doctype html><style>html,body{margin:0;background:transparent}</style>
<svg width="${side}" height="${side}" viewBox="0 0 28 28" style="display:block">
  <rect width="28" height="28" rx="${28 * radius}" fill="${night.ground}"/>
  <g transform="translate(${28 * margin} ${28 * margin}) scale(${1 - 2 * margin})">${night.mark}</g>
</svg>`;

const limits = [
  ['follow', 'Seguir', 34, 60],
  ['like', 'Curtir', 104, 120],
  ['comment', 'Comentar', 6, 15],
];

/** The picture of link previews: the hero's horizon and words, and today's limits. It does not name the product, whose name is configuration. */
const preview = `<!doctype html><html data-theme="light"><style>${source('tokens.css')}${source('signs.css')}${source('landing.css')}
@font-face { font-family: 'Decola Sans'; src: url(data:font/woff2;base64,${typeface}); font-weight: 400 720; font-stretch: 100% 112%; }
* { box-sizing: border-box; margin: 0; }
body { width: 1200px; height: 630px; background: var(--canvas); color: var(--ink); font: 400 28px/1.4 var(--font-sans); }
.hero { width: 1200px; height: 630px; padding: 52px 72px; }
.hero::after { top: 400px; }
.hero::before { top: -100px; }
h1 { margin-top: 26px; font-size: 104px; font-weight: 680; font-stretch: 106%; letter-spacing: -.042em; line-height: .98; word-spacing: .04em; }
.limits { position: absolute; right: 72px; bottom: 52px; width: 720px; display: grid; gap: 20px; padding: 28px 34px; border-radius: 26px; background: var(--surface); box-shadow: 0 0 0 1px var(--rim), var(--shade-3); font-size: 22px; }
.limits p { display: grid; grid-template-columns: 118px 1fr 118px; gap: 12px; align-items: center; }
.limits span { text-align: right; color: var(--muted); }
.limits b { font-weight: 650; color: var(--ink); }
.ticks { height: 22px; }
.ticks[data-rows='2'] { background-size: 100% 9px; }
</style><body><div class="hero">
<svg width="60" height="60" viewBox="0 0 28 28" overflow="visible">${mark('var(--ink)', 'var(--brand)')}</svg>
<h1>Decole<br>seu Instagram</h1>
<div class="limits">${limits.map(([tool, name, value, most]) => `<p data-tool="${tool}">${name}<i class="ticks" data-rows="${most > 80 ? 2 : 1}" style="--n:${most};--v:${value}"></i><span><b>${value}</b> de ${most}</span></p>`).join('')}</div>
</div></body></html>`;

/** An ICO file with one PNG in it, for those who ask for `/favicon.ico` without reading the page. */
function ico(png, side) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(side, 6);
  header.writeUInt8(side, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ colorScheme: 'light' });
async function draw(html, width, height) {
  await page.setViewportSize({ width, height });
  await page.setContent(html);
  await page.evaluate('document.fonts.ready');
  return page.screenshot({ omitBackground: true });
}

mkdirSync(target, { recursive: true });
const write = (name, content) => writeFileSync(path.join(target, name), content);
write(
  'favicon.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.5 -.5 29 29"><style>.sky{fill:#121822}@media (prefers-color-scheme:dark){.sky{fill:#f2f4f7}}</style>${mark('none', '#ff4f00').replace('fill="none"', 'class="sky"')}</svg>\n`,
);
write('favicon.ico', ico(await draw(icon(32, 0.12, 0.22), 32, 32), 32));
write('apple-touch-icon.png', await draw(icon(180, 0.18, 0), 180, 180));
write('icon-192.png', await draw(icon(192, 0.14, 0.22), 192, 192));
write('icon-512.png', await draw(icon(512, 0.14, 0.22), 512, 512));
write('icon-maskable-512.png', await draw(icon(512, 0.24, 0), 512, 512));
write('preview.png', await draw(preview, 1200, 630));
await browser.close();
