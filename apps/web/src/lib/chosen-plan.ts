import { type PlanKey, planTerms } from '@decola/contracts';

/** Query parameter with the plan that a visitor chose on the landing page. It is passed from page to page through sign-up to the plans page. */
const parameter = 'plan';

/** Path of `/auth` with the sign-up tab selected. */
export const signUpPath = '/auth?mode=sign-up';

export const pathWithPlan = (path: string, plan: PlanKey) => `${path}${path.includes('?') ? '&' : '?'}${parameter}=${plan}`;

export function chosenPlan(search: URLSearchParams): PlanKey | null {
  const key = search.get(parameter);
  return key !== null && Object.hasOwn(planTerms, key) ? (key as PlanKey) : null;
}
