import '@testing-library/jest-dom';
import { cleanup, screen, within } from '@testing-library/react';
import { testUserId } from '../../testing/render-page';
import { dayAfter, dayAt } from '../instagram-accounts/days';
import { accountId, block, openAccounts } from './accounts-page.testing';

afterEach(cleanup);

const zone = 'America/Sao_Paulo';
const today = dayAt(new Date(), zone);
const ago = (days: number) => dayAfter(today, -days);
const base = { user_id: testUserId, instagram_account_id: accountId };

const grown = (days: number, followers: number | null, more: Record<string, unknown> = {}) => ({
  ...base,
  id: `growth-${days}`,
  day: ago(days),
  followers,
  following: 300 + days,
  posts: 22,
  seen_at: new Date().toISOString(),
  ...more,
});
const did = (days: number, action: string, confirmed: number, more: Record<string, unknown> = {}) => ({
  ...base,
  id: `did-${days}-${action}`,
  day: ago(days),
  action,
  confirmed,
  skipped: 0,
  refused: 0,
  unconfirmed: 0,
  ...more,
});
const table = async (name: string) => {
  const rows = within(await screen.findByRole('table', { name })).getAllByRole('row');
  return rows.map((row) => [...row.children].map(({ textContent }) => textContent));
};

describe('growth', () => {
  const account_growth = [grown(60, 900), grown(20, 1_000), grown(10, null), grown(3, 1_020), grown(0, 1_050)];

  it('shows the newest number, the gain and each known day', async () => {
    openAccounts({ tables: { account_growth } });
    const growth = within(await block('Crescimento'));
    expect(await growth.findByText('1.050', { selector: 'span' })).toBeVisible();
    expect(growth.getByText('+50 em 20 dias')).toBeVisible();
    const [head, ...rows] = await table('Seguidores por dia');
    expect(head).toEqual(['Dia', 'Seguidores']);
    expect(rows.map(([, count]) => count)).toEqual(['1.000', '1.020', '1.050']);
    expect(rows.at(-1)?.[0]).toBe('hoje');
  });

  it('covers the period that the customer picks', async () => {
    const { user } = openAccounts({ tables: { account_growth } });
    await user.click(await screen.findByRole('radio', { name: '90 dias' }));
    expect(await screen.findByText('+150 em 60 dias')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: '7 dias' }));
    expect(await screen.findByText('+30 em 3 dias')).toBeVisible();
  });

  it('shows followed accounts and posts too', async () => {
    const { user } = openAccounts({ tables: { account_growth } });
    await user.click(await screen.findByRole('radio', { name: 'Seguindo' }));
    expect((await table('Contas que segue, por dia')).slice(1).map(([, count]) => count)).toEqual(['320', '310', '303', '300']);
    expect(screen.getByText('−20 em 20 dias')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Posts' }));
    expect(await screen.findByRole('table', { name: 'Posts no perfil, por dia' })).toBeInTheDocument();
  });

  it('draws no line before the second day', async () => {
    openAccounts({ tables: { account_growth: [grown(0, 1_904)] } });
    expect(await screen.findByText('A linha aparece amanhã, com o segundo dia contado.')).toBeVisible();
    expect(screen.queryByRole('table', { name: 'Seguidores por dia' })).not.toBeInTheDocument();
  });
});

describe('actions of each day', () => {
  it('are counted by kind, also on days without any, with how the rest of the tries ended', async () => {
    openAccounts({
      tables: {
        account_activity: [
          did(40, 'like', 9),
          did(8, 'follow', 12, { skipped: 4, refused: 1 }),
          did(8, 'comment', 1),
          did(8, 'reply', 2, { unconfirmed: 1 }),
          did(0, 'follow', 3),
        ],
      },
    });
    const [head, ...rows] = await table('Ações confirmadas por dia');
    // A public answer is a comment for the network, and for its ceiling.
    expect(head).toEqual(['Dia', 'Seguir', 'Comentar']);
    expect(rows).toHaveLength(30);
    expect(rows.filter(([, follow, comment]) => follow !== '0' || comment !== '0').map((row) => row.slice(1))).toEqual([
      ['12', '3'],
      ['3', '0'],
    ]);
    expect(screen.getByText('18 confirmadas · 4 puladas · 1 recusada · 1 sem confirmação')).toBeVisible();
  });

  it('begin with the first one, a week ago at the latest', async () => {
    openAccounts({ tables: { account_activity: [did(2, 'like', 5)] } });
    expect(await table('Ações confirmadas por dia')).toHaveLength(1 + 7);
  });

  it('can be none in the period', async () => {
    openAccounts({ tables: { account_activity: [did(40, 'like', 9)] } });
    expect(await screen.findByText('Nenhuma ação neste período.')).toBeVisible();
  });
});

describe('people who followed back', () => {
  const row = (days: number, followed: number, seen: number, followed_back: number) => ({
    ...base,
    id: `back-${days}`,
    days,
    followed,
    seen,
    followed_back,
  });

  it('are told of those that were seen again', async () => {
    openAccounts({ tables: { follow_backs: [row(3, 412, 148, 31), row(7, 40, 0, 0), row(14, 0, 0, 0)] } });
    const backs = within(await block('Seguiram de volta'));
    expect(await backs.findByText('31 de 148 seguem você')).toBeVisible();
    expect(backs.getByText('vimos de novo 148 das 412 pessoas seguidas')).toBeVisible();
    expect(
      backs.getByRole('img', { name: 'Depois de 3 dias: das 412 pessoas seguidas vimos 148 de novo, e 31 seguem você' }),
    ).toBeInTheDocument();
    expect(backs.getByText('Ainda não vimos de novo nenhuma das 40 pessoas seguidas.')).toBeVisible();
    expect(backs.getByText('Ninguém foi seguido há 14 dias ou mais.')).toBeVisible();
  });
});
