import { Check, Circle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { usePageTitle } from '../../app/layout';
import { useSession } from '../../app/session';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Card, Waiting } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { fieldText } from '../../lib/forms';
import { client, configuration } from '../../lib/runtime';

export const passwordRules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: 'Mínimo 8 caracteres', holds: (password) => password.length >= 8 },
  { label: 'Pelo menos 1 letra maiúscula', holds: (password) => /[A-Z]/.test(password) },
  { label: 'Pelo menos 1 letra minúscula', holds: (password) => /[a-z]/.test(password) },
  { label: 'Pelo menos 1 número', holds: (password) => /\d/.test(password) },
  { label: 'Pelo menos 1 caractere especial (!@#$%^&*)', holds: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
];

const messages: Record<string, string> = {
  'Invalid login credentials': 'Email ou senha incorretos',
  'User already registered': 'Este email já está cadastrado',
};
const textOf = (message: string | undefined) => (message ? (messages[message] ?? message) : 'Erro desconhecido');

type Mode = 'sign-in' | 'sign-up' | 'forgot';

export function AuthPage() {
  usePageTitle('Entrar');
  const { session, isLoading, isRecovering } = useSession();
  const [mode, setMode] = useState<Mode>('sign-in');
  const location = useLocation() as { state?: { from?: string } };
  if (isLoading) return <Waiting />;
  if (session && isRecovering) return <NewPassword />;
  if (session) return <Navigate to={location.state?.from ?? '/adm'} replace />;
  return (
    <main className="mx-auto grid min-h-screen max-w-md content-center gap-6 p-4 py-10">
      <div className="text-center">
        <a href="/" className="font-display text-2xl font-bold text-brand">
          {configuration().productName}
        </a>
        <h1 className="mt-2 text-2xl">{mode === 'forgot' ? 'Recuperar senha' : 'Sua conta'}</h1>
      </div>
      <Card>
        {mode !== 'forgot' && (
          <div role="tablist" aria-label="Acesso" className="mb-6 grid grid-cols-2 rounded-xl bg-sunken p-1">
            {(
              [
                ['sign-in', 'Entrar'],
                ['sign-up', 'Cadastrar'],
              ] as const
            ).map(([value, label]) => (
              <button
                key={value}
                type="button"
                role="tab"
                aria-selected={mode === value}
                className={classes('min-h-11 rounded-lg font-semibold', mode === value ? 'bg-surface shadow-sm' : 'text-muted')}
                onClick={() => setMode(value)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        {mode === 'sign-in' && <SignIn onForgot={() => setMode('forgot')} />}
        {mode === 'sign-up' && <SignUp />}
        {mode === 'forgot' && <Forgot onBack={() => setMode('sign-in')} />}
      </Card>
    </main>
  );
}

function SignIn({ onForgot }: { onForgot: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    const { error } = await client().auth.signInWithPassword({ email: fieldText(form, 'email'), password: fieldText(form, 'password') });
    setBusy(false);
    if (error) toast.error('Erro ao fazer login', { description: textOf(error.message) });
    else toast.success('Login realizado com sucesso!', { description: 'Redirecionando...' });
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextField label="Email" name="email" type="email" autoComplete="email" required />
      <TextField label="Senha" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Entrar
      </Button>
      <button type="button" className="min-h-11 text-[15px] font-medium text-brand underline-offset-4 hover:underline" onClick={onForgot}>
        Esqueci minha senha
      </button>
    </form>
  );
}

function SignUp() {
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isStrong = passwordRules.every(({ holds }) => holds(password));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    const { error } = await client().auth.signUp({
      email: fieldText(form, 'email'),
      password,
      options: { emailRedirectTo: window.location.origin, data: { full_name: fieldText(form, 'full_name').trim() } },
    });
    setBusy(false);
    if (error) toast.error('Erro ao criar conta', { description: textOf(error.message) });
    else toast.success('Conta criada com sucesso!', { description: 'Você já pode fazer login.' });
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextField label="Nome completo (opcional)" name="full_name" autoComplete="name" />
      <TextField label="Email" name="email" type="email" autoComplete="email" required />
      <TextField
        label="Senha"
        type="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ul className="grid gap-1.5 text-[15px]" aria-label="A senha precisa de" aria-live="polite">
        {passwordRules.map(({ label, holds }) => {
          const isMet = holds(password);
          return (
            <li key={label} className={classes('flex items-center gap-2', isMet ? 'text-success' : 'text-muted')}>
              {isMet ? <Check className="size-4" aria-label="Cumprido" /> : <Circle className="size-4" aria-label="Falta" />}
              {label}
            </li>
          );
        })}
      </ul>
      <Button type="submit" size="wide" isBusy={isBusy} disabled={!isStrong}>
        Criar conta
      </Button>
    </form>
  );
}

function Forgot({ onBack }: { onBack: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    const { error } = await client().auth.resetPasswordForEmail(fieldText(form, 'email'), {
      redirectTo: `${window.location.origin}/auth`,
    });
    setBusy(false);
    if (error) toast.error('Erro ao enviar email', { description: textOf(error.message) });
    else toast.success('Email enviado com sucesso!', { description: 'Verifique sua caixa de entrada para redefinir sua senha.' });
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        hint="Enviaremos um link para você escolher uma nova senha."
      />
      <Button type="submit" size="wide" isBusy={isBusy}>
        Enviar link
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Voltar para entrar
      </Button>
    </form>
  );
}

/** After the link of a recovery mail. */
function NewPassword() {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = fieldText(new FormData(event.currentTarget), 'password');
    if (password.length < 6) {
      toast.error('Senha muito curta', { description: 'A nova senha deve ter pelo menos 6 caracteres.' });
      return;
    }
    setBusy(true);
    const { error } = await client().auth.updateUser({ password });
    setBusy(false);
    if (error) {
      toast.error('Erro ao atualizar senha', { description: textOf(error.message) });
      return;
    }
    toast.success('Senha atualizada');
    void navigate('/adm', { replace: true });
  };
  return (
    <main className="mx-auto grid min-h-screen max-w-md content-center gap-6 p-4">
      <h1 className="text-center text-2xl">Escolha uma nova senha</h1>
      <Card>
        <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
          <TextField
            label="Nova senha"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            hint="Pelo menos 6 caracteres."
          />
          <Button type="submit" size="wide" isBusy={isBusy}>
            Salvar nova senha
          </Button>
        </form>
      </Card>
    </main>
  );
}
