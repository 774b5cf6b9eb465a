import type { PlanOf } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { startPage } from '../canary/recipes.js';
import type { ReadingModule } from '../runs/run-module.js';
import { done } from '../runs/run-report.js';

/** Every run begins with the check of its session; this one does nothing else. */
export const checkSession: ReadingModule<PlanOf<'check-session'>> = { read: () => Promise.resolve(done) };

/** The screens that the visit needs. Every other run begins with them. */
export const checkSessionCanary: readonly CanaryRecipe[] = [startPage];
