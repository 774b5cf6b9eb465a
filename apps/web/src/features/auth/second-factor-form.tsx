import type { Factor } from '@supabase/supabase-js';
import { Controller } from 'react-hook-form';
import { CodeField, codeRules, normaliseCode } from '../../components/forms/code-field';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { ChoiceField } from '../../components/ui/field';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { toast } from '../../lib/toast';
import { secondFactorTexts as texts } from './texts';

/** The second step of a sign-in: the code that the person's authenticator app shows. */
export function SecondFactorForm({ factors, onOtherAccount }: { factors: readonly Factor[]; onOtherAccount: () => void }) {
  const apps = factors.filter(({ status, factor_type: type }) => status === 'verified' && type === 'totp');
  const { field, handleSubmit, showError, isSubmitting, control } = useValidatedForm({ factorId: apps[0]?.id ?? '', code: '' });
  const confirm = handleSubmit(async ({ factorId, code }) => {
    const { error } = await client().auth.mfa.challengeAndVerify({ factorId, code: normaliseCode(code) });
    if (error) showError('code', refusalText(error));
    else toast.success(texts.signedIn.title, { description: texts.signedIn.text });
  });
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={confirm}>
      {apps.length > 1 && (
        <Controller
          control={control}
          name="factorId"
          render={({ field: { value, onChange } }) => (
            <ChoiceField
              legend={texts.whichApp}
              choices={apps.map(({ id, friendly_name: name }, index) => ({ value: id, label: name || texts.unnamedApp(index + 1) }))}
              value={value}
              onChange={onChange}
            />
          )}
        />
      )}
      <CodeField {...field('code', codeRules)} autoFocus hint={texts.hint} />
      <SubmitButton isBusy={isSubmitting}>{texts.confirm}</SubmitButton>
      <Button variant="quiet" className="whitespace-normal" onClick={onOtherAccount}>
        {texts.otherAccount}
      </Button>
    </form>
  );
}
