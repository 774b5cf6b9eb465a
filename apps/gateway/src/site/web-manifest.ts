/** What a browser shows of the site when it is installed. The icons are files of the web app (`tools/draw-site-images.mjs`). */
export function webManifest(productName: string) {
  return {
    name: productName,
    short_name: productName,
    lang: 'pt-BR',
    start_url: '/adm',
    scope: '/',
    display: 'standalone',
    background_color: '#f3f5f8',
    theme_color: '#f3f5f8',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}
