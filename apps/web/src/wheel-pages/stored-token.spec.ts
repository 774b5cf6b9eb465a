import { client, loadApiClient } from '../lib/api-client';
import { storeSession } from '../testing/wheel-calls';
import { accessToken } from './stored-token';

jest.mock('../lib/api-client', () => ({ loadApiClient: jest.fn(() => Promise.resolve()), client: jest.fn() }));
const refreshed = (session: { access_token: string } | null) =>
  jest.mocked(client).mockReturnValue({ auth: { getSession: () => Promise.resolve({ data: { session } }) } } as never);

beforeEach(() => {
  localStorage.clear();
  jest.clearAllMocks();
});

it('is read from the browser without loading the auth client', async () => {
  expect(await accessToken()).toBeNull();
  storeSession();
  expect(await accessToken()).toBe('owner-token');
  expect(loadApiClient).not.toHaveBeenCalled();
});

it('is refreshed by the auth client when it has expired, or will before a request arrives', async () => {
  refreshed({ access_token: 'fresh-token' });
  for (const seconds of [-3_600, 30]) {
    storeSession(seconds);
    expect(await accessToken()).toBe('fresh-token');
  }
});

it('is none when the session was ended, the client cannot be loaded, or the store holds something else', async () => {
  storeSession(-1);
  refreshed(null);
  expect(await accessToken()).toBeNull();
  jest.mocked(loadApiClient).mockRejectedValueOnce(new Error('offline'));
  expect(await accessToken()).toBeNull();
  for (const stored of ['null', '{', '{"access_token":7}']) {
    localStorage.setItem('sb-localhost-auth-token', stored);
    expect(await accessToken()).toBeNull();
  }
});
