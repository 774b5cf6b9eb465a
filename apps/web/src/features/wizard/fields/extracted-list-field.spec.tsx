import '@testing-library/jest-dom';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSession } from '../../../session/session';
import { fakeApi, renderPage } from '../../../testing/render-page';
import { ExtractedListField } from './extracted-list-field';

const list = (id: string, name: string, created_at: string, is_newest: boolean) => ({
  id,
  automation_name: name,
  data_type: 'followers',
  total_records: 318,
  created_at,
  is_newest,
});
const lists = [
  list('n1', 'Clientes', '2026-11-20T12:00:00Z', true),
  list('n2', 'Padarias', '2026-11-10T12:00:00Z', true),
  list('o1', 'Clientes', '2026-11-03T12:00:00Z', false),
  list('o2', 'Clientes', '2026-10-02T12:00:00Z', false),
];

function WhenSignedIn({ value }: { value: string }) {
  return useSession().session ? <ExtractedListField value={value} onChange={() => undefined} error={undefined} /> : null;
}

function show(value = '', shown: readonly unknown[] = lists) {
  const { requests, signIn } = fakeApi({ 'POST /rest/v1/rpc/get_extracted_slots': () => ({ body: shown }) });
  signIn();
  renderPage(<WhenSignedIn value={value} />);
  return { user: userEvent.setup(), requests };
}

it('offers the people who liked or commented on a post', async () => {
  const ofPost = (id: string, data_type: string) => ({ ...list(id, 'Post', '2026-11-20T12:00:00Z', true), data_type });
  const { requests } = show('', [ofPost('c1', 'comments'), ofPost('l1', 'likes')]);
  expect(await names()).toEqual(['Post318 comentários · 20 de novembro de 2026', 'Post318 curtidas · 20 de novembro de 2026']);
  const asked = requests.find(({ route }) => route.endsWith('get_extracted_slots'))!;
  expect(asked.body).toMatchObject({ p_allowed_types: ['followers', 'following', 'likes', 'comments', 'leads'] });
});

const names = async () => (await screen.findAllByRole('radio')).map((radio) => radio.closest('label')?.textContent);

it('shows the newest list of each extractor, and the older ones by their date on demand', async () => {
  const { user } = show();
  expect(await names()).toEqual(['Clientes318 seguidores · 20 de novembro de 2026', 'Padarias318 seguidores · 10 de novembro de 2026']);
  await user.click(screen.getByRole('button', { name: 'Mostrar 2 listas anteriores' }));
  expect((await names()).slice(2)).toEqual([
    'Clientes · lista anterior318 seguidores · 3 de novembro de 2026',
    'Clientes · lista anterior318 seguidores · 2 de outubro de 2026',
  ]);
});

it('keeps an older list in view that was chosen before', async () => {
  show('o2');
  expect(await names()).toHaveLength(3);
  expect(screen.getByRole('radio', { name: /lista anterior/ })).toBeChecked();
  expect(screen.getByRole('button', { name: 'Mostrar 1 lista anterior' })).toBeVisible();
});

it('counts a single row in the singular', async () => {
  show('', [{ ...list('c1', 'Post', '2026-11-19T12:00:00Z', true), data_type: 'comments', total_records: 1 }]);
  expect(await names()).toEqual(['Post1 comentário · 19 de novembro de 2026']);
});
