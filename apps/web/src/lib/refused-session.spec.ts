import { tellingRefusals } from './refused-session';

const answering = (status: number) => {
  let told = 0;
  const send = tellingRefusals(
    () => (told += 1),
    () => Promise.resolve({ status } as Response),
  );
  return { send, told: () => told };
};

it.each(['/rest/v1/automations?select=*', '/functions/v1/check-subscription', '/storage/v1/object/sign/x'])(
  'tells once that %s refused the session, however much the page asks for at once',
  async (path) => {
    const { send, told } = answering(401);
    const answers = await Promise.all([send(path), send(`${window.location.origin}${path}`), send(path)]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(told()).toBe(1);
  },
);

it.each([
  ['a refusal at the door', '/auth/v1/token?grant_type=password', 401],
  ['another refusal', '/rest/v1/automations', 403],
  ['an answer', '/rest/v1/automations', 200],
])('says nothing of %s', async (_, path, status) => {
  const { send, told } = answering(status);
  await send(path);
  expect(told()).toBe(0);
});
