import { readProfile } from './profiles.js';
import { preloadedAnswers } from './preloaded.js';

const preloader = (name: string, result: unknown) => ({
  require: [
    [
      'ScheduledServerJS',
      'handle',
      null,
      [
        {
          __bbox: {
            require: [
              ['RelayPrefetchedStreamCache', 'next', [], [`adp_${name}RelayPreloader_68a1b2`, { __bbox: { complete: true, result } }]],
            ],
          },
        },
      ],
    ],
  ],
});
const script = (json: unknown) => `<script type="application/json" data-content-len="9" data-sjs>${JSON.stringify(json)}</script>`;

describe('answers inside a document', () => {
  const user = { pk: '101', username: 'ana', follower_count: 5 };

  it('are read as the answers to the calls that they replace', () => {
    const html = `<html>${script({ define: [] })}${script(preloader('PolarisProfilePageContentQuery', { data: { user } }))}</html>`;
    const answers = preloadedAnswers(html, '/ana/');
    expect(answers.map(({ friendlyName, path }) => [friendlyName, path])).toEqual([['PolarisProfilePageContentQuery', '/ana/']]);
    expect(readProfile(answers[0]!)).toMatchObject({ kind: 'profile', profile: { userId: '101', followers: 5 } });
  });
  it('may be several in one script', () => {
    const both = [
      preloader('PolarisProfilePageContentQuery', { data: { user } }),
      preloader('PolarisProfilePostsQuery', { data: { posts: {} }, errors: [] }),
    ];
    expect(preloadedAnswers(script(both), '/ana/').map(({ friendlyName }) => friendlyName)).toEqual([
      'PolarisProfilePageContentQuery',
      'PolarisProfilePostsQuery',
    ]);
  });
  it('are not found in other scripts, and in scripts that are not JSON', () => {
    const text = JSON.stringify(preloader('PolarisProfilePageContentQuery', { data: { user } }));
    expect(preloadedAnswers(`<script>${text}</script><script data-sjs>RelayPreloader {</script>`, '/')).toEqual([]);
  });
});
