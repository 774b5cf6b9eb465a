import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import type { FakeAnswer, FakeRoutes } from '../../testing/render-page';
import { testUserId } from '../../testing/render-page';
import { automationOf, idOf, runOf, sentTo, showBlogAdmin, type World } from './blog-admin.testing';
import { findDialog } from '../../testing/dialog';

const insert = 'POST /rest/v1/blog_automations';

async function openTab(given: Partial<World> = {}, routes: FakeRoutes = {}) {
  const shown = showBlogAdmin(given, routes);
  await shown.user.click(await screen.findByRole('tab', { name: 'Automações' }));
  return { ...shown, keyword: await screen.findByRole('textbox', { name: 'Palavra-chave' }) };
}
const create = () => screen.getByRole('button', { name: 'Criar automação' });
const day = (name: string) => screen.getByRole('checkbox', { name });

describe('a new automation of the blog', () => {
  it('is weekly on Mondays at nine, as it stands', async () => {
    const { user, keyword, requests } = await openTab({}, { [insert]: () => ({ status: 201, body: [{ id: idOf(1) }] }) });
    expect(screen.getByRole('radio', { name: 'Toda semana' })).toBeChecked();
    expect(day('segunda')).toBeChecked();
    await user.type(keyword, ' roleta de prêmios, marketing ');
    expect(screen.queryByText(/não é permitida/)).not.toBeInTheDocument();
    await user.clear(keyword);
    await user.type(keyword, ' hashtag local, marketing ');
    await user.click(create());
    expect(await screen.findByText('Automação criada com sucesso!')).toBeVisible();
    const [sent] = sentTo(requests, insert) as { next_generation_at: string }[];
    expect(sent).toEqual({
      user_id: testUserId,
      keyword: 'hashtag local, marketing',
      schedule_type: 'weekly',
      schedule_time: '09:00',
      schedule_day: null,
      schedule_days: [1],
      next_generation_at: expect.stringMatching(/T12:00:00\.000Z$/) as string,
    });
    // A Monday, in the future.
    expect(new Date(sent!.next_generation_at).getUTCDay()).toBe(1);
    expect(Date.parse(sent!.next_generation_at)).toBeGreaterThan(Date.now());
    await waitFor(() => expect(keyword).toHaveValue(''));
  });

  it('may be daily, or monthly on a day that begins with the first', async () => {
    const { user, keyword, requests } = await openTab({}, { [insert]: () => ({ status: 201, body: [{ id: idOf(1) }] }) });
    await user.type(keyword, 'seo');
    await user.click(screen.getByRole('radio', { name: 'Todo dia' }));
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    await user.click(create());
    await waitFor(() => expect(sentTo(requests, insert)).toHaveLength(1));
    await waitFor(() => expect(keyword).toHaveValue(''));

    await user.type(keyword, 'seo');
    await user.click(screen.getByRole('radio', { name: 'Todo mês' }));
    const month = screen.getByRole('combobox', { name: 'Dia do mês' });
    expect(month).toHaveValue('1');
    await user.selectOptions(month, '31');
    await user.click(create());
    await waitFor(() => expect(sentTo(requests, insert)).toHaveLength(2));
    expect(sentTo(requests, insert)).toEqual([
      expect.objectContaining({ schedule_type: 'daily', schedule_day: null, schedule_days: null }),
      expect.objectContaining({ schedule_type: 'monthly', schedule_day: 31, schedule_days: null }),
    ]);
  });

  it('needs a keyword of the blog, a weekday and a time', async () => {
    const { user, keyword, requests } = await openTab();
    await user.click(create());
    expect(await screen.findByText('Palavra-chave é obrigatória para criar automação')).toBeVisible();
    expect(keyword).toHaveFocus();
    await user.type(keyword, 'seo, tiktok');
    await user.click(create());
    expect(await screen.findByText(/^Esta palavra-chave não é permitida/)).toBeVisible();
    await user.clear(keyword);
    await user.type(keyword, 'seo');
    await user.click(day('segunda'));
    await user.click(create());
    expect(await screen.findByText('Selecione pelo menos um dia da semana')).toBeVisible();
    await user.click(day('sexta'));
    expect(screen.queryByText('Selecione pelo menos um dia da semana')).not.toBeInTheDocument();
    await user.clear(screen.getByLabelText('Horário'));
    await user.click(create());
    expect(await screen.findByText('Horário é obrigatório')).toBeVisible();
    expect(sentTo(requests, insert)).toEqual([]);
  });

  it.each<[string, FakeAnswer, string | null]>([
    [
      'with the server’s sentence',
      { status: 400, body: { code: 'P0001', message: 'Selecione pelo menos um dia da semana' } },
      'Selecione pelo menos um dia da semana',
    ],
    ['when the server failed', { status: 500, body: { code: 'XX000', message: 'boom' } }, null],
  ])('is told to have failed, %s, and keeps what was typed', async (_, answer, sentence) => {
    const { user, keyword } = await openTab({}, { [insert]: () => answer });
    await user.type(keyword, 'seo');
    await user.click(create());
    expect(await screen.findByText('Erro ao criar automação')).toBeVisible();
    if (sentence !== null) expect(screen.getByText(sentence)).toBeVisible();
    expect(screen.queryByText('boom')).not.toBeInTheDocument();
    expect(keyword).toHaveValue('seo');
  });
});

describe('how a new automation writes', () => {
  const fold = () => screen.getByText('Como escrever');

  it('is sent with it, and a wrong length opens the fold and gets the focus', async () => {
    const { user, keyword, requests } = await openTab({}, { [insert]: () => ({ status: 201, body: [{ id: idOf(1) }] }) });
    await user.type(keyword, 'seo');
    await user.click(fold());
    const most = screen.getByLabelText('No máximo, palavras');
    await user.clear(most);
    await user.type(most, '100');
    await user.type(screen.getByLabelText('Tom'), 'próximo');
    await user.click(screen.getByRole('button', { name: 'Acrescentar fonte' }));
    await waitFor(() => expect(screen.getByLabelText('Título da fonte')).toHaveFocus());
    await user.type(screen.getByLabelText('Endereço (opcional)'), 'ibge.gov.br');
    await user.click(fold());
    await user.click(create());
    expect(await screen.findByText('Use números de 300 a 3.000')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('No mínimo, palavras')).toHaveFocus());
    expect(screen.getByText('Dê um título à fonte')).toBeVisible();
    expect(screen.getByText('Use um endereço que comece com https://')).toBeVisible();
    await user.type(most, '0');
    expect(screen.queryByText('Use números de 300 a 3.000')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remover Fonte 1' }));
    expect(screen.getByRole('button', { name: 'Acrescentar fonte' })).toHaveFocus();
    await user.click(screen.getByRole('switch', { name: 'Dizer que a IA ajudou' }));
    expect(sentTo(requests, insert)).toEqual([]);
    await user.click(create());
    await waitFor(() => expect(sentTo(requests, insert)).toHaveLength(1));
    expect(sentTo(requests, insert)).toEqual([
      expect.objectContaining({ settings: { length: { min: 900, max: 1000 }, tone: 'próximo', disclosure: true } }),
    ]);
  });

  it('stays with the rest of the form while another tab is open', async () => {
    const { user, keyword } = await openTab();
    await user.type(keyword, 'seo, marketing');
    await user.click(fold());
    await user.type(screen.getByLabelText('Instruções'), 'Cafés de bairro.');
    await user.click(screen.getByRole('tab', { name: 'Gerar artigo' }));
    await user.click(screen.getByRole('tab', { name: 'Automações' }));
    expect(await screen.findByRole('textbox', { name: 'Palavra-chave' })).toHaveValue('seo, marketing');
    expect(screen.getByText('900 a 1.400 palavras · com instruções')).toBeVisible();
  });
});

describe('the automations of the blog', () => {
  const hashtag = automationOf(51);
  const direct = automationOf(52, {
    keyword: 'automação de direct',
    schedule_type: 'daily',
    schedule_time: '07:30:00',
    problem_reason: 'Espera revisão: um número sem fonte',
  });
  const calendar = automationOf(53, {
    keyword: 'calendário de conteúdo',
    schedule_type: 'monthly',
    schedule_day: 1,
    is_active: false,
    last_generated_at: '2026-11-01T12:00:00Z',
  });
  const lineOf = async (keyword: string) => within((await screen.findByText(keyword)).closest('li')!);

  it('show when they write, whether they are active, and what came of the last article', async () => {
    await openTab({
      automations: [hashtag, direct, calendar, automationOf(54, { origin: 'customer', keyword: 'café' })],
      runs: [runOf({ blog_automation_id: hashtag.id, state: 'published', title: 'x' })],
    });
    const first = await lineOf('hashtag local');
    expect(first.getByText(/^toda segunda, 09:00 · próxima: 07\/01\/2030, 09:00$/)).toBeVisible();
    expect(first.getByText('Ativa')).toBeVisible();
    expect(first.getByText('Publicado')).toBeVisible();
    const second = await lineOf('automação de direct');
    expect(second.getByText(/^todo dia, 07:30/)).toBeVisible();
    expect(second.getByText('Espera revisão: um número sem fonte')).toBeVisible();
    const third = await lineOf('calendário de conteúdo');
    expect(third.getByText('dia 1 de cada mês, 09:00')).toBeVisible();
    expect(third.getByText('Inativa')).toBeVisible();
    expect(third.getByText('Último artigo em 01/11/2026, 09:00')).toBeVisible();
    expect(screen.queryByText('café')).not.toBeInTheDocument();
  });

  it.each<[boolean, FakeAnswer, string, boolean]>([
    [true, { body: [{ id: idOf(51) }] }, 'Automação desativada', false],
    [false, { body: [{ id: idOf(51) }] }, 'Automação ativada', true],
    [true, { status: 500, body: { message: 'x' } }, 'Erro ao atualizar automação', true],
    [true, { body: [] }, 'Erro ao atualizar automação', true],
  ])('are switched (active %s, answer %j): %s', async (isActive, answer, sentence, isOnAfter) => {
    const { user, world, requests } = await openTab(
      { automations: [{ ...hashtag, is_active: isActive }] },
      {
        'PATCH /rest/v1/blog_automations': (body) => {
          if (sentence !== 'Erro ao atualizar automação') world.automations = [{ ...hashtag, ...(body as object) }];
          return answer;
        },
      },
    );
    await user.click(await screen.findByRole('switch', { name: 'Ligar ou desligar hashtag local' }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(sentTo(requests, 'PATCH /rest/v1/blog_automations')).toEqual([{ is_active: !isActive }]);
    const control = screen.getByRole('switch', { name: 'Ligar ou desligar hashtag local' });
    await waitFor(() => (isOnAfter ? expect(control).toBeChecked() : expect(control).not.toBeChecked()));
  });

  const settings = { tone: 'seco', approval: 'always' } as const;
  const change = 'PATCH /rest/v1/blog_automations';

  it('are told how to write', async () => {
    const { user, requests } = await openTab(
      { automations: [{ ...hashtag, settings }] },
      { [change]: () => ({ body: [{ id: hashtag.id }] }) },
    );
    await user.click(await screen.findByRole('button', { name: 'Como escrever hashtag local' }));
    const dialog = within(await findDialog('Como escrever'));
    const tone = dialog.getByLabelText('Tom');
    expect(tone).toHaveValue('seco');
    await user.clear(tone);
    await user.click(dialog.getByRole('switch', { name: 'Criar imagem de capa' }));
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Automação atualizada!')).toBeVisible();
    expect(sentTo(requests, change)).toEqual([{ settings: { approval: 'always', image: false } }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('keep what was typed when their settings cannot be saved, or are closed by accident', async () => {
    const { user, requests } = await openTab(
      { automations: [{ ...hashtag, settings }] },
      { [change]: () => ({ status: 400, body: { code: 'P0001', message: 'Endereço da fonte inválido' } }) },
    );
    const open = async () => {
      await user.click(await screen.findByRole('button', { name: 'Como escrever hashtag local' }));
      return within(await findDialog('Como escrever'));
    };
    let dialog = await open();
    await user.type(dialog.getByLabelText('Tom'), ' e breve');
    await user.clear(dialog.getByLabelText('No mínimo, palavras'));
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(dialog.getByText('Use números de 300 a 3.000')).toBeVisible();
    expect(sentTo(requests, change)).toEqual([]);
    await user.type(dialog.getByLabelText('No mínimo, palavras'), '400');
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Erro ao atualizar automação')).toBeVisible();
    expect(screen.getByText('Endereço da fonte inválido')).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    dialog = await open();
    expect(dialog.getByLabelText('Tom')).toHaveValue('seco e breve');
    await user.click(dialog.getByRole('button', { name: 'Cancelar' }));
    dialog = await open();
    expect(dialog.getByLabelText('Tom')).toHaveValue('seco');
  });

  it('are removed after a question', async () => {
    const { user, world, requests } = await openTab(
      { automations: [hashtag] },
      {
        'DELETE /rest/v1/blog_automations': () => {
          world.automations = [];
          return { body: [{ id: hashtag.id }] };
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Remover hashtag local' }));
    const dialog = within(await findDialog('Remover automação'));
    expect(sentTo(requests, 'DELETE /rest/v1/blog_automations')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Remover' }));
    expect(await screen.findByText('Automação removida!')).toBeVisible();
    expect(await screen.findByText('Nenhuma automação ainda. Crie a primeira ao lado.')).toBeVisible();
  });

  it('stay when their removal failed', async () => {
    const { user } = await openTab(
      { automations: [hashtag] },
      { 'DELETE /rest/v1/blog_automations': () => ({ status: 500, body: { message: 'x' } }) },
    );
    await user.click(await screen.findByRole('button', { name: 'Remover hashtag local' }));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Remover' }));
    expect(await screen.findByText('Erro ao remover automação')).toBeVisible();
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancelar' }));
    expect(await screen.findByText('hashtag local')).toBeVisible();
  });
});
