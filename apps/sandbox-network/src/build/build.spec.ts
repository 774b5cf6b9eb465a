import { makeBuild } from './build.js';
import { operations } from './operations.js';
import { jazoestOf, PageTokenIssuer } from './page-tokens.js';
import { styleNames } from './styles.js';

describe('a build', () => {
  const build = makeBuild('7', 'main', 0);

  it('is the same for the same seed, name and rollout, and another for any other', () => {
    expect(makeBuild('7', 'main', 0)).toEqual(build);
    for (const other of [makeBuild('8', 'main', 0), makeBuild('7', 'drift', 0), makeBuild('7', 'main', 1)]) {
      expect(other.revision).not.toBe(build.revision);
      for (const operation of Object.keys(operations) as (keyof typeof operations)[])
        expect(other.docIds[operation]).not.toBe(build.docIds[operation]);
      for (const style of styleNames) expect(other.classes[style]).not.toBe(build.classes[style]);
    }
  });

  it('gives every operation a unique number and every style a unique name', () => {
    expect(new Set(Object.values(build.docIds)).size).toBe(Object.keys(operations).length);
    expect(new Set(Object.values(build.classes)).size).toBe(styleNames.length);
    for (const docId of Object.values(build.docIds)) expect(docId).toMatch(/^\d{17}$/);
    for (const name of Object.values(build.classes)) expect(name).toMatch(/^[a-z][a-z0-9]+$/);
  });
});

describe('page tokens', () => {
  const issuer = new PageTokenIssuer(Buffer.from('secret'));
  const ticket = { sessionId: 'session', revision: '1012345678', loadedAt: 1_795_000_000_000 };

  it('say which load they belong to', () => {
    const { lsd, dtsg, jazoest } = issuer.issue(ticket);
    expect(issuer.readLsd(lsd)).toMatchObject(ticket);
    expect(issuer.belongsTogether(lsd, dtsg)).toBe(true);
    expect(jazoest).toBe(jazoestOf(dtsg));
  });

  it('cannot be made up, changed or mixed', () => {
    const [one, other] = [issuer.issue(ticket), issuer.issue(ticket)];
    expect(one.lsd).not.toBe(other.lsd);
    expect(issuer.belongsTogether(one.lsd, other.dtsg)).toBe(false);
    expect(issuer.belongsTogether(one.lsd, '')).toBe(false);
    expect(new PageTokenIssuer(Buffer.from('another')).readLsd(one.lsd)).toBeNull();
    for (const made of ['', '.', 'AVqbxe3J_YA', `${one.lsd}x`, `x${one.lsd}`]) expect(issuer.readLsd(made)).toBeNull();
  });
});
