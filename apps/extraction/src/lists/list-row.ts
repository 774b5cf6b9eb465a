import type { DataType } from '@decola/contracts';
import type { ShortReason } from './pass-outcome.js';

/** A row of extracted_data, as far as reading the list needs it. */
export interface List {
  id: string;
  user_id: string;
  automation_id: string;
  data_type: DataType;
  total_records: number;
  /** Total that the profile showed last; null when unknown. */
  profile_total: number | null;
  /** Null while the list goes on. */
  completed_at: Date | null;
  /** Null while the list goes on, and when it has everybody. */
  end_reason: ShortReason | null;
}

export const listColumns = 'id, user_id, automation_id, data_type, total_records, profile_total, completed_at, end_reason';
