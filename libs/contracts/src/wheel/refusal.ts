/** An expected refusal of a wheel's function, in the person's words: answered with status 200. `code` is for programs and is never renamed. */
export interface FunctionRefusal {
  success: false;
  error: string;
  code: string;
  /** Name of the lead field that it concerns. */
  field?: string;
}
