import { createHash } from 'node:crypto';
import { readArticleListQuery } from '@decola/contracts';
import { splitRequestTarget } from '@decola/service-kit';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SiteArticles } from './site-articles.service.js';

/** Data of the blog's public pages, for the gateway, which renders them (`libs/contracts/src/articles/site-answers.ts`). */
@Controller('internal/site')
export class SiteController {
  constructor(private readonly articles: SiteArticles) {}

  @Get('articles')
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { query } = splitRequestTarget(request.raw.url ?? '');
    sendTagged(request, reply, await this.articles.list(readArticleListQuery(new URLSearchParams(query))));
  }

  @Get('articles/:slug')
  async article(@Param('slug') slug: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendTagged(request, reply, await this.articles.article(slug));
  }

  @Get('feed')
  async feed(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendTagged(request, reply, await this.articles.feed());
  }
}

/** Sends an answer with its ETag, or 304 when the gateway has it already. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: object): void {
  const body = JSON.stringify(answer);
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  void reply.header('etag', tag).header('cache-control', 'no-cache');
  const known = (request.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (known.includes(tag)) void reply.status(304).send();
  else void reply.type('application/json; charset=utf-8').send(body);
}
