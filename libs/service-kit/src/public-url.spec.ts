import { publicUrlProblem, isPublicIp } from './public-url.js';

describe('URLs that are called for customers', () => {
  it.each([
    'https://blog.example/wp-json/decola/v1/publish',
    'https://blog.example:8443/hook?x=1',
    ' https://BLOG.example./hook ',
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://padaria-são-joão.example/',
  ])('publicUrlProblem accepts %s', (address) => expect(publicUrlProblem(address)).toBeNull());

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['gopher://blog.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ftp://blog.example/', 'scheme'],
    ['http://blog.example/', 'scheme'],
    ['blog.example/hook', 'malformed'],
    ['', 'malformed'],
    ['https://user:secret@blog.example/', 'credentials'],
    ['https://blog.example@127.0.0.1/', 'credentials'],
    ['https://blog.example:22/', 'port'],
    ['https://localhost/', 'not_public'],
    ['https://LOCALHOST./', 'not_public'],
    ['https://api.localhost/', 'not_public'],
    ['https://postgres/', 'not_public'],
    ['https://identity.default.svc/', 'not_public'],
    ['https://identity.default.svc.cluster.local/', 'not_public'],
    ['https://metadata.google.internal/', 'not_public'],
    ['https://127.0.0.1/', 'not_public'],
    ['https://127.1/', 'not_public'],
    ['https://2130706433/', 'not_public'],
    ['https://0x7f000001/', 'not_public'],
    ['https://0x7f.1/', 'not_public'],
    ['https://0177.0.0.1/', 'not_public'],
    ['https://%31%32%37.0.0.1/', 'not_public'],
    ['https://①②⑦.0.0.1/', 'not_public'],
    ['https://0/', 'not_public'],
    ['https://0.0.0.0/', 'not_public'],
    ['https://10.1.2.3/', 'not_public'],
    ['https://172.16.0.1/', 'not_public'],
    ['https://192.168.0.1/', 'not_public'],
    ['https://100.64.0.1/', 'not_public'],
    ['https://169.254.169.254/latest/meta-data/', 'not_public'],
    ['https://2852039166/', 'not_public'],
    ['https://224.0.0.1/', 'not_public'],
    ['https://255.255.255.255/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://[::]/', 'not_public'],
    ['https://[::ffff:127.0.0.1]/', 'not_public'],
    ['https://[::ffff:a9fe:a9fe]/', 'not_public'],
    ['https://[::7f00:1]/', 'not_public'],
    ['https://[64:ff9b::7f00:1]/', 'not_public'],
    ['https://[2002:7f00:1::]/', 'not_public'],
    ['https://[2001:0:53aa:64c:0:0:80ff:fffe]/', 'not_public'],
    ['https://[fe80::1]/', 'not_public'],
    ['https://[fd00:ec2::254]/', 'not_public'],
    ['https://[fc00::1]/', 'not_public'],
  ] as const)('publicUrlProblem refuses %s: %s', (address, problem) => expect(publicUrlProblem(address)).toBe(problem));

  it('publicUrlProblem accepts plain HTTP and private addresses for the hosts that are configured', () => {
    expect(publicUrlProblem('http://127.0.0.1:4999/hook', ['127.0.0.1:4999'])).toBeNull();
    expect(publicUrlProblem('http://sandbox/hook', ['sandbox'])).toBeNull();
    expect(publicUrlProblem('http://127.0.0.1:5000/hook', ['127.0.0.1:4999'])).toBe('scheme');
    expect(publicUrlProblem('file://sandbox/hook', ['sandbox'])).toBe('scheme');
  });

  it.each([
    ['8.8.8.8', true],
    ['::ffff:8.8.8.8', true],
    ['2001:4860:4860::8888', true],
    ['127.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['::127.0.0.1', false],
    ['0x7f.1', false],
    ['169.254.169.254', false],
    ['no address', false],
  ])('isPublicIp of %s is %s', (ip, isPublic) => expect(isPublicIp(ip)).toBe(isPublic));
});
