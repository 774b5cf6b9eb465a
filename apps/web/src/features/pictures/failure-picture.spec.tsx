import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, fakeApi, renderPage } from '../../testing/render-page';
import { FailurePicture } from './failure-picture';
import { findDialog } from '../../testing/dialog';

const pictureId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const route = `GET /storage/v1/object/pictures/${pictureId}`;
const jpeg = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], { type: 'text/html' });
const gone: FakeAnswer = {
  status: 404,
  body: { statusCode: '404', error: 'not_found', code: 'NoSuchKey', message: 'Object not found' },
};

async function show(answer: () => FakeAnswer | Promise<FakeAnswer>, of?: string) {
  const api = fakeApi({ [route]: answer });
  api.signIn();
  renderPage(<FailurePicture pictureId={pictureId} {...(of === undefined ? {} : { of })} />);
  const button = await screen.findByRole('button', { name: of === undefined ? 'Ver imagem' : `Ver imagem: ${of}` });
  return { api, button, user: userEvent.setup() };
}

describe('the picture of a failure', () => {
  it('is loaded on demand and shown as an image, whatever type the answer claims', async () => {
    const { api, button, user } = await show(() => ({ file: jpeg }));
    expect(api.requests.filter((each) => each.route === route)).toEqual([]);
    await user.click(button);
    const dialog = await findDialog('O que o Instagram mostrou');
    const image = await within(dialog).findByRole('img', {
      name: 'Página do Instagram no momento da falha, com o conteúdo de outras pessoas desfocado',
    });
    expect(image).toHaveAttribute('src', 'data:image/jpeg;base64,/9j/4A==');
    expect(api.requests.filter((each) => each.route === route)).toHaveLength(1);
  });

  it('is told apart in a list by what failed', async () => {
    const { button, user } = await show(() => ({ file: jpeg }), '@bia');
    await user.click(button);
    expect(await screen.findByRole('img', { name: /no momento da falha \(@bia\)/ })).toBeVisible();
  });

  it('says that it is loading', async () => {
    const { button, user } = await show(() => new Promise(() => undefined));
    await user.click(button);
    expect(await screen.findByRole('status')).toHaveTextContent('Carregando a imagem...');
  });

  it('can be asked for again when it could not be loaded', async () => {
    let isUp = false;
    const { button, user } = await show(() => (isUp ? { file: jpeg } : { status: 503, body: { message: 'x' } }));
    await user.click(button);
    expect(await screen.findByRole('alert', {}, { timeout: 5_000 })).toHaveTextContent(
      'Não foi possível carregar a imagem. Verifique sua conexão.',
    );
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByRole('img')).toBeVisible();
  });

  it('says at once that it was deleted after its time', async () => {
    const { api, button, user } = await show(() => gone);
    await user.click(button);
    expect(await screen.findByText('A imagem foi apagada depois de 30 dias.')).toBeVisible();
    expect(api.requests.filter((each) => each.route === route)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Tentar novamente' })).toBeNull();
  });

  it('closes by the keyboard, and gives the focus back to its button', async () => {
    const { button, user } = await show(() => ({ file: jpeg }));
    button.focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('img');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button).toHaveFocus();
  });
});
