import { drawings } from '../browser/drawings.js';
import type { Boot } from '../browser/types.js';
import { addressOf } from '../build/build.js';
import { operationNames } from '../build/operations.js';
import type { Account } from '../population/accounts.js';
import type { Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { inScript, type Preloads } from './preloads.js';

/** What the page shows, beyond what the build and the visitor determine. */
export type ShellState = Pick<Boot, 'language' | 'interruptions' | 'profileId' | 'trouble' | 'claim'>;

/** HTML of the document that starts the single-page application. It carries the tokens that prove where its calls come from. */
export function shell(
  world: World,
  preloads: Preloads,
  { viewer, session, address }: { viewer: Account; session: Session; address: URL },
  { language, interruptions, profileId, trouble, claim }: ShellState,
): string {
  const { build } = world;
  const { lsd, dtsg, jazoest } = world.tokens.issue({ sessionId: session.id, revision: build.revision, loadedAt: world.clock.now() });
  const { profileId: _, ...site }: Omit<Boot, 'texts'> = {
    language,
    classes: build.classes,
    drawings,
    docIds: build.docIds,
    addresses: Object.fromEntries(operationNames.map((name) => [name, addressOf(build, name)])) as Boot['addresses'],
    revision: build.revision,
    bloksVersion: build.bloksVersion,
    asbdId: build.asbdId,
    lsd,
    dtsg,
    jazoest,
    claim,
    viewer: { id: viewer.pk, fbid: viewer.fbid, username: viewer.username },
    profileId,
    interruptions,
    trouble,
    traits: build.traits,
  };
  const definitions = [
    ['LSD', [], { token: lsd }],
    ['DTSGInitialData', [], { token: dtsg }],
    ['PolarisViewer', [], { actorID: viewer.fbid, id: viewer.pk, username: viewer.username }],
    ['SiteData', [], { server_revision: Number(build.revision), site }],
    ['RouteProps', [], { ...(profileId ? { profile_id: profileId, site: { profileId } } : { site: { profileId: null } }) }],
  ];
  return `<!DOCTYPE html>
<html lang="${language}" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Instagram</title><link rel="stylesheet" href="/static/bundles/${build.revision}.css"></head>
<body><div id="mount"></div>
<script type="application/json" id="boot" data-sjs>${inScript({ define: definitions })}</script>
${preloads.scriptsFor(viewer, address).join('\n')}
<script src="/static/bundles/${build.revision}.js" defer></script></body></html>`;
}
