import { z } from 'zod';
import { oneOf } from '../configuration-fields.js';
import { fieldText, problemUnless, type RawConfiguration } from '../problems.js';
import type { ToolRules } from '../rules.js';
import { sectionProblems } from './section-problems.js';
import { sectionShapes, wheelLimits } from './sections.js';

export const prize = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(200),
  /** All units ever offered, those already won among them. What is left of them is the prize's weight in the draw. */
  quantity: z.number().int().min(0).max(wheelLimits.unitsOfPrize),
  type: z.enum(['digital', 'physical']),
  /** Shown to the winner. */
  message: z.string().max(2_000).default(''),
});

export const leadField = z.object({
  id: z.string().min(1).max(50),
  name: z.string().min(1).max(50),
  label: z.string().max(100),
  required: z.boolean(),
  enabled: z.boolean(),
});
export type LeadField = z.infer<typeof leadField>;

export const defaultLeadFields: readonly LeadField[] = [
  { id: 'nome', name: 'nome', label: 'Nome completo', required: false, enabled: false },
  { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true },
  { id: 'whatsapp', name: 'whatsapp', label: 'WhatsApp', required: false, enabled: false },
  { id: 'email', name: 'email', label: 'E-mail', required: false, enabled: false },
  { id: 'telefone', name: 'telefone', label: 'Telefone', required: false, enabled: false },
  { id: 'endereco', name: 'endereco', label: 'Endereço completo', required: false, enabled: false },
];

const schema = z.looseObject({
  action: oneOf('extract_leads'),
  method: oneOf('prize_wheel'),
  prizes: z.array(prize).max(wheelLimits.prizes).nullish(),
  leadFields: z.array(leadField).max(50).nullish(),
  totalParticipants: z.number().int().nonnegative().nullish(),
  /** Created by the server; a value sent by a client is ignored. */
  publicToken: z.string().max(200).nullish(),
  ...sectionShapes,
});

/** Proposals for the owner: limits of prizes and of the form. */
export const wheelLimitTexts = {
  prizes: `Cadastre até ${wheelLimits.prizes} prêmios`,
  units: `Cada prêmio pode ter até ${wheelLimits.unitsOfPrize.toLocaleString('pt-BR')} unidades`,
  leadFields: `Use até ${wheelLimits.leadFields} campos no formulário`,
} as const;

export const prizeExtractorRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({
    action: 'extract_leads',
    method: 'prize_wheel',
    prizes: [{ id: '1', name: '', quantity: 1, type: 'digital', message: '' }],
    leadFields: defaultLeadFields.map((field) => ({ ...field })),
    totalParticipants: 0,
  }),
  problems: (configuration) => {
    const prizes = records(configuration['prizes']);
    const named = prizes.filter((item) => fieldText(item, 'name') !== '');
    const enabled = records(configuration['leadFields']).filter((field) => field['enabled'] === true);
    return [
      ...problemUnless(named.length > 0, 'prizes', 'Adicione pelo menos um prêmio válido', 1),
      ...problemUnless(
        named.some(({ quantity }) => typeof quantity === 'number' && quantity > 0),
        'prizes',
        'Pelo menos um prêmio deve ter quantidade maior que 0',
        1,
      ),
      ...problemUnless(prizes.length <= wheelLimits.prizes, 'prizes', wheelLimitTexts.prizes, 1),
      ...problemUnless(
        prizes.every(({ quantity }) => typeof quantity !== 'number' || quantity <= wheelLimits.unitsOfPrize),
        'prizes',
        wheelLimitTexts.units,
        1,
      ),
      ...problemUnless(enabled.length > 0, 'leadFields', 'Selecione pelo menos um campo para o lead preencher', 2),
      ...problemUnless(enabled.length <= wheelLimits.leadFields, 'leadFields', wheelLimitTexts.leadFields, 2),
      ...sectionProblems(configuration, {
        prizes: named.length,
        required: enabled.filter((field) => field['required'] === true).map((field) => fieldText(field, 'name')),
      }),
    ];
  },
};

/** The fields of a wheel's form as they are stored, enabled or not; none when the configuration does not fit its schema. */
export function storedLeadFields(configuration: unknown): readonly LeadField[] {
  const parsed = schema.safeParse(configuration);
  return parsed.success ? (parsed.data.leadFields ?? []) : [];
}

function records(value: unknown): RawConfiguration[] {
  return Array.isArray(value) ? value.filter((item): item is RawConfiguration => typeof item === 'object' && item !== null) : [];
}
