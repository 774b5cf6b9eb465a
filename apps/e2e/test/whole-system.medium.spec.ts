import { attackerSuite } from './attackers.suite.js';
import { ownSystem, type OwnSystem, siteOfLinks } from './own-system.js';
import { publishedClientsSuite } from './published-clients.suite.js';

/** What is asked of the whole system, through its gateway: it is started once for all of it. */
describe('the whole system, through its gateway', () => {
  let system: OwnSystem;
  beforeAll(async () => {
    system = await ownSystem({
      identity: { MAIL_GAP_SECONDS: '0', SITE_URL: siteOfLinks, REFRESH_REUSE_SECONDS: '2' },
      gateway: { RATE_LIMIT_USER_REQUESTS_PER_MINUTE: '100000', RATE_LIMIT_REQUESTS_PER_MINUTE: '100000' },
    });
  });
  afterAll(() => system?.dispose());

  attackerSuite(() => system);
  publishedClientsSuite(() => system);
});
