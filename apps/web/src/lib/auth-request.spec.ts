import { toastText } from './auth-errors';
import { authRequest } from './auth-request';

afterEach(() => Reflect.deleteProperty(globalThis, 'fetch'));

it('answers like any request without a connection when the client cannot be loaded', async () => {
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError('offline')) });
  const { error } = await authRequest((auth) => auth.signInWithPassword({ email: 'a@b.c', password: 'x' }));
  expect(toastText(error!)).toBe('Não foi possível conectar. Verifique sua internet e tente novamente.');
});
