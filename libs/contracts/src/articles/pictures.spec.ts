import {
  articleImage,
  pictureAddress,
  pictureFilePattern,
  pictureOf,
  shareAddressOf,
  sitePictureOf,
  srcsetOf,
  widthsOf,
} from './pictures.js';

const hash = '0123456789abcdef0123456789abcdef';
const base = '/storage/v1/object/public/blog-images';

describe('addresses of pictures', () => {
  it('name the picture and its width, from which all other sizes follow', () => {
    const address = pictureAddress(hash, 1200);
    expect(address).toBe(`${base}/${hash}-1200.webp`);
    expect(pictureOf(address)).toEqual({ hash, width: 1200 });
    expect(srcsetOf(address)).toBe(`${base}/${hash}-480.webp 480w, ${base}/${hash}-800.webp 800w, ${base}/${hash}-1200.webp 1200w`);
    expect(shareAddressOf(address)).toBe(`${base}/${hash}-share.jpg`);
  });

  it.each([
    [1200, [480, 800, 1200]],
    [801, [480, 800, 801]],
    [800, [480, 800]],
    [640, [480, 640]],
    [480, [480]],
    [90, [90]],
  ])('a picture of %s pixels is stored in the widths %s, never enlarged', (width, widths) => expect(widthsOf(width)).toEqual(widths));

  it('have no srcset when there is one size only', () => expect(srcsetOf(pictureAddress(hash, 300))).toBeNull());

  it.each([
    `https://elsewhere.example${base}/${hash}-1200.webp`,
    `${base}/${hash}-1200.webp?download`,
    `${base}/${hash}-0.webp`,
    `${base}/${hash}-share.jpg`,
    `${base}/${hash.toUpperCase()}-1200.webp`,
    `${base}/../pictures/${hash}-1200.webp`,
    '/preview.png',
    '',
  ])('are not those of our pictures: %s', (address) =>
    expect([pictureOf(address), srcsetOf(address), shareAddressOf(address)]).toEqual([null, null, null]),
  );

  it.each([`${hash}-1200.webp`, `${hash}-share.jpg`])('name files of the bucket: %s', (name) => expect(name).toMatch(pictureFilePattern));
  it.each([`${hash}-1200.jpg`, `${hash}-01200.webp`, `../${hash}-1200.webp`, `${hash}-1200.webp.part`, 'index.html'])(
    'do not name other files: %s',
    (name) => expect(name).not.toMatch(pictureFilePattern),
  );
});

describe('the picture of an article on a page', () => {
  const src = pictureAddress(hash, 1200);
  const image = articleImage.parse({ src, width: 1200, height: 675, alt: 'Um balcão', origin: 'generated' });

  it('has its sizes, its measures and its text', () => {
    expect(sitePictureOf({ title: 'Título', featured_image: src, image })).toEqual({
      picture: { src, srcset: srcsetOf(src), width: 1200, height: 675, alt: 'Um balcão' },
      preview: shareAddressOf(src),
    });
  });

  it('loses the measures of the picture before, when its address was replaced', () => {
    const other = 'https://images.example/a.png';
    expect(sitePictureOf({ title: 'Título', featured_image: other, image })).toEqual({
      picture: { src: other, srcset: null, width: null, height: null, alt: 'Título' },
      preview: null,
    });
  });

  it.each([null, '', 'data:image/png;base64,AAAA'])('is left out when it has no address: %s', (address) =>
    expect(sitePictureOf({ title: 'Título', featured_image: address, image: null })).toEqual({ picture: null, preview: null }),
  );
});
