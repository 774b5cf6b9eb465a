import '@testing-library/jest-dom';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type FakeAnswer, testUserId } from '../../testing/render-page';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { address, openBlogWizard as open } from './blog-wizard.testing';
import { findDialog } from '../../testing/dialog';

const running = 'blog-automation' as Parameters<typeof setInOperation>[0];
beforeEach(() => {
  sessionStorage.clear();
  setInOperation(running, true);
});
afterEach(() => {
  cleanup();
  resetOperation();
});

type User = ReturnType<typeof open>['user'];
const press = async (user: User, name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const url = () => screen.findByLabelText('URL do webhook');
const stepOf = (name: RegExp) => screen.getByRole('button', { name });

const stored = {
  id: '00000000-0000-4000-8000-000000000001',
  user_id: testUserId,
  origin: 'customer',
  theme: 'Café em casa',
  keyword: 'moagem, café coado',
  webhook_url: 'https://cafedalia.example',
  schedule_type: 'weekly',
  schedule_time: '14:30:00',
  schedule_days: [2, 4],
  categories: 'Preparo, Grãos',
  settings: { tone: 'Direto', approval: 'always', publishMode: 'draft', length: { min: 700, max: 950 } },
  is_active: true,
  is_draft: false,
  created_at: '2026-11-01T12:00:00Z',
};

describe('the token', () => {
  it('is created by a button, then can be copied, shown and replaced', async () => {
    const { user, requests } = open(address, { token: null });
    await press(user, 'Gerar token');
    expect(await screen.findByText('Novo token gerado com sucesso!')).toBeVisible();
    expect(requests.find(({ route }) => route === 'POST /rest/v1/user_tokens')).toMatchObject({
      body: { user_id: testUserId, token: 'a-new-token-0123456789-abcdefghijklmnopqrst', token_type: 'webhook' },
      search: expect.stringContaining('on_conflict=user_id%2Ctoken_type') as string,
    });
    const field = await screen.findByLabelText('Token');
    expect((field as HTMLInputElement).value).toMatch(/^a-ne•+qrst$/);
    await press(user, 'Mostrar token');
    expect(field).toHaveValue('a-new-token-0123456789-abcdefghijklmnopqrst');
    await press(user, 'Esconder token');
    await press(user, 'Copiar token');
    expect(await screen.findByText('Token copiado')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('a-new-token-0123456789-abcdefghijklmnopqrst');
    await press(user, 'Gerar novo token');
    await waitFor(() => expect(requests.filter(({ route }) => route === 'POST /rest/v1/user_tokens')).toHaveLength(2));
  });

  it.each([
    [
      'POST /rest/v1/rpc/generate_random_token',
      { status: 400, body: { code: 'P0001', message: 'Espere um minuto.' } },
      'Erro ao gerar token: Espere um minuto.',
    ],
    [
      'POST /rest/v1/user_tokens',
      { status: 400, body: { code: 'P0001', message: 'Token grande demais.' } },
      'Erro ao salvar token: Token grande demais.',
    ],
    ['POST /rest/v1/rpc/generate_random_token', { body: null }, 'Erro ao criar token: Tente novamente em alguns instantes.'],
  ])('says why it could not be created: %s %j', async (route, answer, sentence) => {
    const { user } = open(address, { token: null, routes: { [route]: () => answer } });
    await press(user, 'Gerar token');
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('of before is revoked at once, when a new one was made', async () => {
    let answer: object = { success: false, error: 'Não há token antigo.' };
    const { user, requests } = open(address, { routes: { 'POST /functions/v1/revoke-previous-token': () => ({ body: answer }) } });
    await screen.findByLabelText('Token');
    expect(screen.queryByRole('button', { name: 'Revogar o antigo agora' })).not.toBeInTheDocument();
    await press(user, 'Gerar novo token');
    await press(user, 'Revogar o antigo agora');
    expect(await screen.findByText('Erro ao revogar o token antigo')).toBeVisible();
    expect(screen.getByText('Não há token antigo.')).toBeVisible();
    answer = { success: true };
    await press(user, 'Revogar o antigo agora');
    expect(await screen.findByText('O token antigo não vale mais')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Revogar o antigo agora' })).not.toBeInTheDocument());
    expect(requests.filter(({ route }) => route === 'POST /functions/v1/revoke-previous-token')).toHaveLength(2);
  });

  it('says that a new one could not be made, and keeps the old one', async () => {
    const { user } = open(address, { routes: { 'POST /rest/v1/user_tokens': () => ({ status: 500, body: {} }) } });
    await press(user, 'Gerar novo token');
    expect(await screen.findByText('Erro ao gerar novo token')).toBeVisible();
    expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toMatch(/^toke•+ghij$/);
  });

  it('can be loaded again after a failure', async () => {
    let isBroken = true;
    const { user } = open(address, {
      routes: { 'GET /rest/v1/user_tokens': () => (isBroken ? { status: 500, body: {} } : { body: [{ token: 'the-token-of-before' }] }) },
    });
    await screen.findByText('Não foi possível carregar o token.');
    isBroken = false;
    await press(user, 'Tentar novamente');
    expect(await screen.findByLabelText('Token')).toBeVisible();
  });
});

describe('the check of the site', () => {
  it('asks for address and token first', async () => {
    const { user, checks } = open();
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Configure o webhook URL e obtenha um token primeiro')).toBeVisible();
    expect(checks()).toEqual([]);
  });

  it('asks for a token too', async () => {
    const { user, checks } = open(address, { token: null });
    await user.type(await url(), 'https://cafedalia.example');
    await screen.findByRole('button', { name: 'Gerar token' });
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Configure o webhook URL e obtenha um token primeiro')).toBeVisible();
    expect(checks()).toEqual([]);
  });

  it('shows what was proved, warns, and offers the site’s categories in the next step', async () => {
    const { user, checks, saved } = open(address, {
      check: {
        body: {
          success: true,
          verified: true,
          warnings: ['O site pede aos buscadores para ficar fora.'],
          categories: ['Preparo', 'Grãos'],
          site: { host: 'cafedalia.example', plugin: '1.2.0', wp: '6.9' },
        },
      },
    });
    await user.type(await url(), 'cafedalia.example');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    const toasts = await screen.findByRole('region', { name: /Mensagens/ });
    expect(await within(toasts).findByText('Webhook testado com sucesso! WordPress respondeu corretamente.')).toBeVisible();
    expect(checks()).toEqual([{ webhook_url: 'https://cafedalia.example', token: 'token-of-the-customer-0123456789-abcdefghij' }]);
    const verdict = screen.getByText('Integração certa').closest('[role=status]') as HTMLElement;
    for (const fact of ['Plugin 1.2.0 ativo', 'Assinatura confere dos dois lados', 'WordPress 6.9', '2 categorias lidas do site'])
      expect(within(verdict).getByText(fact)).toBeVisible();
    expect(within(verdict).getByText('O site pede aos buscadores para ficar fora.')).toBeVisible();
    await press(user, 'Próximo');
    await user.click(await screen.findByRole('checkbox', { name: 'Grãos' }));
    await press(user, 'Salvar Rascunho');
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]).toMatchObject({ categories: 'Grãos', webhook_url: 'https://cafedalia.example' });
  });

  it('says when a site answers without proof', async () => {
    const { user } = open(address, {
      check: { body: { success: true, verified: false, hint: 'Instale o nosso plugin para provar o token.' } },
    });
    await user.type(await url(), 'https://outro.example/webhook');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Instale o nosso plugin para provar o token.')).toBeVisible();
    expect(screen.getByText('O site responde')).toBeVisible();
    expect(screen.queryByText('Assinatura confere dos dois lados')).not.toBeInTheDocument();
  });

  it('shows the cause, the steps and a text for the host', async () => {
    const { user, checks } = open(address, {
      check: { body: { success: false, error: 'A proteção do seu servidor barrou a nossa mensagem', code: 'waf' } },
    });
    await user.type(await url(), 'https://www.cafedalia.example/wp-json');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Erro no teste: A proteção do seu servidor barrou a nossa mensagem')).toBeVisible();
    const verdict = screen.getByText('Ainda não', { selector: '[role=alert] *' }).closest('[role=alert]') as HTMLElement;
    expect(within(verdict).getByText('Envie ao suporte da sua hospedagem.')).toBeVisible();
    expect(
      within(verdict).getByText(/endereço \/wp-json\/decola\/v1\/events do site cafedalia\.example .* Decola-Webhook\/1/),
    ).toBeVisible();
    await user.click(within(verdict).getByRole('button', { name: 'Copiar texto' }));
    expect(await navigator.clipboard.readText()).toMatch(/^Olá! Por favor, liberem/);
    expect(within(verdict).getByRole('link', { name: 'Enviar para quem cuida do site' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^mailto:\?/),
    );
    await user.click(within(verdict).getByRole('button', { name: 'Verificar de novo' }));
    await waitFor(() => expect(checks()).toHaveLength(2));
  });

  it('has a sentence for an answer without one', async () => {
    const { user } = open(address, { check: { body: { success: false } } });
    await user.type(await url(), 'https://cafedalia.example');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Erro no teste: Resposta inválida do WordPress')).toBeVisible();
  });

  it('says when it could not be made, and forgets the answer when the address changes', async () => {
    const { user } = open(address, { check: { status: 502, body: {} } });
    await user.type(await url(), 'https://cafedalia.example');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    const sentence = 'Erro ao testar webhook. Verifique o URL e se o plugin está instalado.';
    expect(await screen.findByText('Não conseguimos fazer o teste')).toBeVisible();
    expect(screen.getAllByText(sentence).length).toBeGreaterThan(0);
    await user.type(await url(), '/blog');
    await waitFor(() => expect(screen.queryByText(sentence)).not.toBeInTheDocument());
    expect(screen.queryByText('Ainda não', { selector: '[role=alert] *' })).not.toBeInTheDocument();
  });

  it('shows that it runs', async () => {
    const { user } = open(address, { check: () => new Promise(() => undefined) });
    await user.type(await url(), 'https://cafedalia.example');
    await screen.findByLabelText('Token');
    await press(user, 'Verificar Integração');
    expect(await screen.findByText('Conferindo o site')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Verificar Integração' })).toHaveAttribute('aria-busy', 'true');
  });

  it('offers the plugin to download', async () => {
    open();
    const link = await screen.findByRole('link', { name: 'Baixar plugin' });
    expect(link).toHaveAttribute('href', '/plugin-wordpress.zip');
    expect(link).toHaveAttribute('download');
  });
});

describe('what is missing', () => {
  const publish = async (user: User) => {
    await user.click(stepOf(/^Frequência/));
    await press(user, 'Criar Automação');
  };

  it('is told in the step of each, one after the other', async () => {
    const { user, saved } = open();
    await screen.findByText('3 slots disponíveis');
    await publish(user);
    expect(await screen.findByText('URL do webhook é obrigatória')).toBeVisible();
    expect(stepOf(/^Webhook/)).toHaveAttribute('aria-current', 'step');
    expect(await url()).toHaveFocus();
    await user.type(await url(), 'https://cafedalia.example');
    expect(screen.queryByText('URL do webhook é obrigatória')).not.toBeInTheDocument();
    await publish(user);
    expect(await screen.findByText('Tema/Nicho do blog é obrigatório')).toBeVisible();
    expect(stepOf(/^Configuração do blog/)).toHaveAttribute('aria-current', 'step');
    await user.type(screen.getByLabelText('Tema/Nicho do blog'), 'Café em casa');
    await user.click(stepOf(/^Frequência/));
    for (const day of ['Segunda-feira', 'Terça-feira', 'Quarta-feira', 'Quinta-feira', 'Sexta-feira'])
      await user.click(screen.getByRole('checkbox', { name: day }));
    fireEvent.change(screen.getByLabelText('Horário'), { target: { value: '' } });
    await press(user, 'Criar Automação');
    expect(await screen.findByText('Selecione pelo menos um dia da semana')).toBeVisible();
    expect(screen.getByText('Horário é obrigatório')).toBeVisible();
    expect(saved()).toEqual([]);
  });

  it('does not keep a draft from being saved', async () => {
    const { user, saved } = open();
    await press(user, 'Salvar Rascunho');
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect(screen.getByText('Rascunho salvo com sucesso!')).toBeVisible();
    expect(saved()).toEqual([
      {
        user_id: testUserId,
        theme: '',
        keyword: '',
        webhook_url: '',
        schedule_type: 'weekly',
        schedule_time: '09:00',
        schedule_days: [1, 2, 3, 4, 5],
        categories: null,
        next_generation_at: expect.stringMatching(/T12:00:00\.000Z$/) as string,
        is_active: false,
      },
    ]);
  });

  it('holds for settings that could not be stored, also in a draft', async () => {
    const { user, saved } = open();
    await user.click(await screen.findByRole('button', { name: /^Configuração do blog/ }));
    await user.click(screen.getByText('Fontes, capa e aviso'));
    await press(user, 'Acrescentar fonte');
    await user.type(screen.getByLabelText('O que ela diz'), 'Sete em cada dez.');
    await press(user, 'Salvar Rascunho');
    expect(await screen.findByText('Dê um título à fonte')).toBeVisible();
    expect(saved()).toEqual([]);
  });
});

describe('a new automation', () => {
  it('is published with everything that was answered', async () => {
    const { user, saved } = open();
    await user.type(await url(), 'https://cafedalia.example');
    await press(user, 'Próximo');
    await user.type(await screen.findByLabelText('Tema/Nicho do blog'), 'Café em casa');
    await user.type(screen.getByLabelText('Palavras-chave'), 'moagem, café coado{Enter}Moagem,');
    await user.type(screen.getByLabelText('Categorias (opcional)'), 'Preparo');
    await user.type(screen.getByLabelText('O que só você sabe (opcional)'), 'Torramos desde 2016.');
    await user.click(screen.getByRole('radio', { name: /Longo/ }));
    await user.click(screen.getByRole('radio', { name: 'Técnico' }));
    await press(user, 'Próximo');
    await user.click(await screen.findByRole('checkbox', { name: 'Sábado' }));
    fireEvent.change(screen.getByLabelText('Horário'), { target: { value: '18:30' } });
    expect(within(screen.getByRole('list', { name: 'Próximas datas' })).getAllByRole('listitem')).toHaveLength(5);
    await user.click(screen.getByRole('radio', { name: /Perguntar sempre/ }));
    await user.click(screen.getByRole('radio', { name: /Como rascunho/ }));
    expect(screen.getByRole('complementary', { name: 'Plano de voo' })).toHaveTextContent(
      'Deixar como rascunho um artigo sobre moagem em cafedalia.example, de segunda a sábado, às 18:30.',
    );
    await press(user, 'Criar Automação');
    expect(await screen.findByText('Automação criada com sucesso!')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect(saved()).toEqual([
      {
        user_id: testUserId,
        theme: 'Café em casa',
        keyword: 'moagem, café coado',
        webhook_url: 'https://cafedalia.example',
        schedule_type: 'weekly',
        schedule_time: '18:30',
        schedule_days: [1, 2, 3, 4, 5, 6],
        categories: 'Preparo',
        next_generation_at: expect.stringMatching(/T21:30:00\.000Z$/) as string,
        is_active: true,
        settings: {
          length: { min: 1_400, max: 2_000 },
          tone: 'Técnico',
          brief: 'Torramos desde 2016.',
          approval: 'always',
          publishMode: 'draft',
        },
      },
    ]);
  });

  it.each([
    [1, 'Esta automação usa 2 slots, e você tem apenas 1 livre.'],
    [0, 'Esta automação usa 2 slots, e os seus estão todos em uso.'],
  ])('warns when %d slots are free, and offers plans when it is published', async (free, warning) => {
    const { user, saved } = open(address, { free });
    expect(await screen.findByText(warning)).toBeVisible();
    await user.type(await url(), 'https://cafedalia.example');
    await press(user, 'Próximo');
    await user.type(await screen.findByLabelText('Tema/Nicho do blog'), 'Café');
    await press(user, 'Próximo');
    await press(user, 'Criar Automação');
    expect(await screen.findByText(`Esta automação requer 2 slots, mas você tem apenas ${free} disponível(is).`)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Hora de Decolar!' })).toBeVisible();
    expect(saved()).toEqual([]);
  });

  it('says why it could not be saved, and keeps what was typed', async () => {
    const { user } = open(address, {
      routes: {
        'POST /rest/v1/blog_automations': () => ({ status: 400, body: { code: 'P0001', message: 'O endereço precisa ser público.' } }),
      },
    });
    await user.type(await url(), 'https://10.0.0.1');
    await press(user, 'Salvar Rascunho');
    expect(await screen.findByText('Erro ao salvar a automação')).toBeVisible();
    expect(screen.getByText('O endereço precisa ser público.')).toBeVisible();
    expect(await url()).toHaveValue('https://10.0.0.1');
  });

  it('asks before it is left, and survives a reload', async () => {
    const { user, goBack, unmount } = open();
    await user.type(await url(), 'https://cafedalia.example');
    await goBack();
    expect(await findDialog('Sair sem salvar?')).toBeVisible();
    await press(user, 'Continuar editando');
    unmount();
    const again = open();
    expect(await url()).toHaveValue('https://cafedalia.example');
    await again.goBack();
    await press(again.user, 'Sair sem salvar');
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    await again.user.click(screen.getByRole('link', { name: 'de volta' }));
    expect(await url()).toHaveValue('');
  });

  it('is only a draft while the tool is not in operation', async () => {
    resetOperation();
    setInOperation(running, false);
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Frequência/ }));
    expect(screen.queryByRole('button', { name: 'Criar Automação' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Salvar Rascunho' })).toBeVisible();
  });
});

describe('a stored automation', () => {
  const edit = `${address}?edit=${stored.id}`;

  it('is shown with all its answers, and only what was changed is changed', async () => {
    const { user, saved } = open(edit, { stored, free: 0 });
    expect(await screen.findByText('Editando automação')).toBeVisible();
    expect(await url()).toHaveValue('https://cafedalia.example');
    expect(screen.queryByText(/usa 2 slots/)).not.toBeInTheDocument();
    await press(user, 'Próximo');
    expect(await screen.findByLabelText('Tema/Nicho do blog')).toHaveValue('Café em casa');
    expect(screen.getByRole('radio', { name: /Como está/ })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Direto' })).toBeChecked();
    await press(user, 'Remover café coado');
    await press(user, 'Próximo');
    expect(await screen.findByLabelText('Horário')).toHaveValue('14:30');
    expect(screen.getByRole('checkbox', { name: 'Terça-feira' })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Segunda-feira' })).not.toBeChecked();
    await press(user, 'Atualizar Automação');
    expect(await screen.findByText('Automação atualizada com sucesso!')).toBeVisible();
    expect(saved()).toEqual([
      {
        theme: 'Café em casa',
        keyword: 'moagem',
        webhook_url: 'https://cafedalia.example',
        schedule_type: 'weekly',
        schedule_time: '14:30',
        schedule_days: [2, 4],
        categories: 'Preparo, Grãos',
        next_generation_at: expect.stringMatching(/T17:30:00\.000Z$/) as string,
        is_active: true,
        settings: stored.settings,
      },
    ]);
  });

  it('is saved as a draft again', async () => {
    const { user, saved } = open(edit, { stored: { ...stored, is_active: false, is_draft: true } });
    await press(user, 'Salvar Rascunho');
    expect(await screen.findByText('Rascunho atualizado!')).toBeVisible();
    expect(saved()[0]).toMatchObject({ is_active: false });
  });

  it('shows its site as it answered last, with its categories', async () => {
    const { user } = open(edit, {
      stored,
      sites: [
        {
          id: 's1',
          site_key: 'cafedalia.example',
          origin_url: stored.webhook_url,
          host: 'cafedalia.example',
          kind: 'plugin',
          plugin_version: '1.2.0',
          capabilities: { categories: ['Receitas'], authors: [], seoPlugin: null, blogPublic: true, warnings: [] },
          checked_at: new Date().toISOString(),
          problem_code: null,
          problem_reason: null,
        },
      ],
    });
    expect(await screen.findByText('No ar')).toBeVisible();
    await user.click(stepOf(/^Configuração do blog/));
    expect(await screen.findByRole('checkbox', { name: 'Receitas' })).not.toBeChecked();
  });

  it('can be loaded again after a failure', async () => {
    let isBroken = true;
    const { user } = open(edit, {
      routes: { 'GET /rest/v1/blog_automations': () => (isBroken ? { status: 500, body: {} } : { body: stored }) },
    });
    expect(await screen.findByText('Erro ao carregar dados da automação')).toBeVisible();
    isBroken = false;
    await press(user, 'Tentar novamente');
    expect(await url()).toHaveValue('https://cafedalia.example');
  });

  it('is no concern of this wizard when it belongs to our own blog', async () => {
    open(edit, { stored: { ...stored, origin: 'editorial', webhook_url: null } });
    expect(await screen.findByRole('link', { name: 'Abrir o painel do blog' })).toHaveAttribute('href', '/blog');
  });
});

describe('the next topics', () => {
  const topic = (number: number) => ({
    id: `t${number}`,
    title: `Assunto ${number}`,
    focusKeyword: 'moagem',
    why: `Porque ${number}.`,
  });
  const preview = 'POST /functions/v1/preview-topics';
  const lastStep = async (user: User) => user.click(await screen.findByRole('button', { name: /Frequência/ }));
  const asked = (requests: ReturnType<typeof open>['requests']) =>
    requests.filter(({ route }) => route === preview).map(({ body }) => body);

  it('need site and theme', async () => {
    const { user, requests } = open();
    await lastStep(user);
    expect(await screen.findByText('Falta dizer o site e o tema; os assuntos vêm deles.')).toBeVisible();
    await press(user, 'Voltar ao passo 1');
    expect(await url()).toBeVisible();
    expect(asked(requests)).toEqual([]);
  });

  it('of a new automation are chosen after it was kept as a draft, which is then the one that is published', async () => {
    const { user, requests, saved } = open(address, {
      routes: { [preview]: () => ({ body: { success: true, topics: [topic(1), topic(2)] } }) },
    });
    fireEvent.change(await url(), { target: { value: 'cafedalia.example' } });
    await user.click(stepOf(/Configuração/));
    fireEvent.change(await screen.findByLabelText('Tema/Nicho do blog'), { target: { value: 'Café em casa' } });
    await lastStep(user);
    expect(screen.getByText(/guardamos a automação como rascunho/)).toBeVisible();
    await press(user, 'Escolher assuntos agora');
    expect(await screen.findByRole('heading', { name: 'Assunto 1', level: 4 })).toBeVisible();
    expect(screen.getByText(/Porque 1\./)).toBeVisible();
    expect(saved()).toMatchObject([{ theme: 'Café em casa', is_active: false }]);
    expect(asked(requests)).toMatchObject([
      { blogAutomationId: 'new', draft: { keyword: 'Café em casa', theme: 'Café em casa', webhook_url: 'https://cafedalia.example' } },
    ]);
    // They stay while only the schedule changes.
    fireEvent.change(screen.getByLabelText('Horário'), { target: { value: '10:00' } });
    expect(screen.getByText('Assunto 1')).toBeVisible();
    await press(user, 'Criar Automação');
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    const saves = requests.filter(({ route }) => /^(POST|PATCH) \/rest\/v1\/blog_automations$/.test(route));
    expect(saves.map(({ route }) => route.split(' ')[0])).toEqual(['POST', 'PATCH']);
    expect(saves[1]).toMatchObject({ body: { is_active: true }, search: expect.stringContaining('id=eq.new') as string });
  });

  it('of a stored automation are chosen without saving, and can be exchanged', async () => {
    let round = 0;
    let isRefused = false;
    const { user, requests, saved } = open(`${address}?edit=${stored.id}`, {
      stored,
      routes: {
        [preview]: () =>
          isRefused
            ? { body: { success: false, error: 'Você já pediu novos assuntos 10 vezes hoje.' } }
            : { body: { success: true, topics: [topic((round += 10))] } },
      },
    });
    await lastStep(user);
    await press(user, 'Escolher assuntos agora');
    expect(await screen.findByText('Assunto 10')).toBeVisible();
    await press(user, 'Trocar sugestões');
    expect(await screen.findByText('Assunto 20')).toBeVisible();
    expect(await screen.findByText('Sugestões trocadas!')).toBeVisible();
    expect(asked(requests)).toMatchObject([{ blogAutomationId: stored.id }, { blogAutomationId: stored.id, replace: true }]);
    isRefused = true;
    await press(user, 'Trocar sugestões');
    expect(await screen.findByText('Erro ao trocar as sugestões')).toBeVisible();
    expect(screen.getByText('Assunto 20')).toBeVisible();
    expect(saved()).toEqual([]);
    // Others follow from another theme.
    await user.click(stepOf(/Configuração/));
    fireEvent.change(await screen.findByLabelText('Tema/Nicho do blog'), { target: { value: 'Chá em casa' } });
    await lastStep(user);
    expect(await screen.findByRole('button', { name: 'Escolher assuntos agora' })).toBeVisible();
    expect(screen.queryByText('Assunto 20')).not.toBeInTheDocument();
  });

  it('show that they are being chosen, and why they could not be', async () => {
    let answer: (answer: FakeAnswer) => void = () => undefined;
    const { user } = open(`${address}?edit=${stored.id}`, {
      stored,
      routes: { [preview]: () => new Promise<FakeAnswer>((done) => (answer = done)) },
    });
    await lastStep(user);
    await press(user, 'Escolher assuntos agora');
    expect(await screen.findByRole('status', { name: 'Escolhendo os assuntos' })).toBeVisible();
    answer({ body: { success: false, error: 'Seus assuntos se esgotaram. Acrescente palavras-chave.' } });
    expect(await screen.findByText('Seus assuntos se esgotaram. Acrescente palavras-chave.')).toBeVisible();
    await press(user, 'Tentar novamente');
    expect(await screen.findByRole('status', { name: 'Escolhendo os assuntos' })).toBeVisible();
    answer({ status: 500, body: {} });
    expect(await screen.findByText(/Não foi possível escolher os assuntos/)).toBeVisible();
  });
});
