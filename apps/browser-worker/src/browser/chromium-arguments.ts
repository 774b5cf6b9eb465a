/**
 * What Playwright switches off. Chromium reads only the last list of its command line, which is ours, so ours repeats Playwright's; a test
 * compares the two.
 */
const switchedOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * A new frame, view and compositor for each document of the same site. Without it the ones of the page before are used again, as Chromium did for
 * all pages until 2023: a sixth of the processor time of a page load (decision record 0068).
 */
const framePerDocument = 'RenderDocument';

/** They stop Chromium's own background traffic, and work for nobody; none of them changes what a page can see of the browser. */
export const chromiumArguments: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--disable-dev-shm-usage',
  `--disable-features=${[...switchedOffByPlaywright, framePerDocument].join(',')}`,
];
