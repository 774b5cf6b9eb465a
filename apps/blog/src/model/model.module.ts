import { Module } from '@nestjs/common';
import { LanguageModel } from './language-model.service.js';
import { Spending } from './spending.service.js';

/** The language model, for articles and for pictures. */
@Module({ providers: [LanguageModel, Spending], exports: [LanguageModel] })
export class ModelModule {}
