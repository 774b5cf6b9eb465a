import { frequencies, frequencyLabel } from '@decola/contracts';
import { ChoiceField, TextField } from '../../components/ui/field';
import { Notice } from '../../components/ui/surface';
import type { Configuration } from './use-draft';

export function FrequencyStep({
  configuration,
  onChange,
  problems,
}: {
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  problems: Readonly<Record<string, string>>;
}) {
  const actions = configuration['rowsPerLaunch'];
  return (
    <div className="grid gap-6">
      <ChoiceField
        legend="Frequência de execução"
        choices={frequencies.map((value) => ({ value, label: frequencyLabel(value) }))}
        value={typeof configuration['frequency'] === 'string' ? configuration['frequency'] : ''}
        onChange={(frequency) => onChange({ frequency })}
        error={problems['frequency']}
      />
      <TextField
        label="Ações por execução"
        type="number"
        min={1}
        max={5}
        value={typeof actions === 'number' || typeof actions === 'string' ? String(actions) : ''}
        onChange={(event) => onChange({ rowsPerLaunch: event.target.value === '' ? '' : Number(event.target.value) })}
        hint="De 1 a 5. Recomendamos no máximo 1 ação por hora."
        error={problems['rowsPerLaunch']}
      />
      <Notice tone="neutral">
        Acima da frequência valem os limites de segurança da sua conta, somando todas as automações. Ao primeiro sinal do Instagram, paramos
        e avisamos.
      </Notice>
    </div>
  );
}
