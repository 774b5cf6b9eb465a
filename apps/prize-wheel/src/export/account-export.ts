import { exportQuery, exportRows, type ExportSource } from '@decola/database';
import { parseKeyRing, Sealer } from '@decola/service-kit';
import type { EntityManager } from 'typeorm';
import type { PrizeWheelConfig } from '../config/config.js';
import { Coupons } from '../draws/coupons.js';
import { WheelKeys } from '../keys/wheel-keys.service.js';
import { exportTexts } from '../texts/texts.js';

type Keys = Pick<PrizeWheelConfig, 'SEED_KEY_RING' | 'WHEEL_HMAC_KEY'>;

/** What prize-wheel stores about a person. `publicToken` is left out: it is the secret of a wheel's public page. */
export const accountExport = (config: Keys): readonly ExportSource[] => [
  exportQuery({
    name: 'roletas/roletas.json',
    about: exportTexts.wheels,
    query: `select automation_id as roleta, name as nome, is_draft as rascunho, is_active as ligada, configuration - 'publicToken' as configuracao
      from wheels where user_id = $1 order by name, automation_id`,
  }),
  exportQuery({
    name: 'roletas/participacoes.json',
    about: exportTexts.participations,
    query: `select p.automation_id as roleta, p.number as numero, p.instagram_handle as perfil, p.prize_won as premio, p.code as codigo,
        p.state as situacao, p.created_at as em, p.delivered_at as entregue_em, p.valid_until as valido_ate, p.void_reason as motivo,
        p.consent as aceite, p.erased_at as apagado_em
      from prize_wheel_participations p join wheels w on w.automation_id = p.automation_id where w.user_id = $1 order by p.created_at, p.id`,
  }),
  exportQuery({
    name: 'roletas/aceites.json',
    about: exportTexts.consents,
    query: `select c.automation_id as roleta, c.version as versao, encode(c.sha256, 'hex') as sha256, c.texts as textos, c.since as desde
      from wheel_consents c join wheels w on w.automation_id = c.automation_id where w.user_id = $1 order by c.since, c.automation_id, c.version`,
  }),
  exportQuery({
    name: 'roletas/visitas.json',
    about: exportTexts.visits,
    query: `select d.automation_id as roleta, to_char(d.day, 'YYYY-MM-DD') as dia, d.views as visualizacoes, d.continued as continuaram
      from wheel_days d join wheels w on w.automation_id = d.automation_id where w.user_id = $1 order by d.day, d.automation_id`,
  }),
  ({ caller, manager }) => [
    {
      name: 'roletas/cupons.json',
      about: exportTexts.coupons,
      text: couponsOf(
        manager,
        caller.userId,
        new Coupons(new Sealer(parseKeyRing(config.SEED_KEY_RING, 'SEED_KEY_RING')), new WheelKeys(config)),
      ),
    },
  ],
];

interface CouponRow {
  roleta: string;
  premio: string;
  selado: string;
  participacao: string | null;
}

/** The coupons that the owner pasted, opened, as a JSON array. */
async function* couponsOf(manager: EntityManager, userId: string, coupons: Coupons): AsyncGenerator<string> {
  const batches = exportRows<CouponRow>(
    manager,
    `select c.automation_id as roleta, c.prize_id as premio, c.code_sealed as selado, p.number as participacao
     from prize_codes c join wheels w on w.automation_id = c.automation_id left join prize_wheel_participations p on p.id = c.participation_id
     where w.user_id = $1 order by c.id`,
    [userId],
  );
  let between = '[\n';
  for await (const rows of batches) {
    for (const { selado: sealed, ...row } of rows) {
      yield `${between}${JSON.stringify({ ...row, cupom: coupons.open(row.roleta, row.premio, sealed) })}`;
      between = ',\n';
    }
  }
  yield between === '[\n' ? '[]\n' : '\n]\n';
}
