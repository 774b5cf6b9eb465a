import { maxLengths, type PlanKey } from '@decola/contracts';
import { useWatch } from 'react-hook-form';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { PasswordField, TextField } from '../../components/ui/field';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { authRequest } from '../../lib/auth-request';
import { pathWithPlan } from '../../lib/chosen-plan';
import { toast } from '../../lib/toast';
import { EmailField, type EmailProps, emailRules } from './email-field';
import { isStrong, PasswordChecklist } from './password-rules';
import { signUpTexts as texts } from './texts';

interface SignUpProps extends EmailProps {
  /** The plan chosen on the landing page. The confirmation link in the email contains it. */
  plan: PlanKey | null;
  /** @param mustConfirm whether the email must be confirmed before the first sign-in */
  onCreated: (mustConfirm: boolean) => void;
}

/** The form that creates an account. */
export function SignUpForm({ email, onEmail, plan, onCreated }: SignUpProps) {
  const { field, handleSubmit, showError, failureToast, isSubmitting, control } = useValidatedForm({ full_name: '', email, password: '' });
  const password = useWatch({ control, name: 'password' });
  const signUp = handleSubmit(async (values) => {
    const { origin } = window.location;
    const { data, error } = await authRequest((auth) =>
      auth.signUp({
        email: values.email.trim(),
        password: values.password,
        options: { emailRedirectTo: origin + (plan ? pathWithPlan('/', plan) : ''), data: { full_name: values.full_name.trim() } },
      }),
    );
    if (error) {
      failureToast.show(texts.failed.title, { description: toastText(error) });
      const isTaken = error.code === 'user_already_exists' || error.message === 'User already registered';
      if (error.code === 'weak_password') showError('password', adviceFor(error));
      else showError('email', isTaken ? texts.failed.emailTaken : adviceFor(error));
      return;
    }
    toast.success(texts.created.title, { description: texts.created.text });
    if (!data.session) onCreated(!data.user?.email_confirmed_at);
  });
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={signUp}>
      <TextField label={texts.name} autoComplete="name" maxLength={maxLengths.name} {...field('full_name')} />
      <EmailField {...field('email', emailRules(onEmail))} />
      <PasswordField label={texts.password} autoComplete="new-password" required {...field('password')} />
      <PasswordChecklist id="password-rules" password={password} />
      <SubmitButton isBusy={isSubmitting} disabled={!isStrong(password)} aria-describedby="password-rules">
        {texts.create}
      </SubmitButton>
    </form>
  );
}
