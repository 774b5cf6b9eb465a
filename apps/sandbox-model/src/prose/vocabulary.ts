import { type Verb, verb } from './verbs.js';

/**
 * The words of the articles. Every part of a sentence has one to four words and many alternatives, so that two articles hardly ever share
 * five words in a row. There are no figures, sources, quotations or promises among them, and no words about health, law or money.
 */

/** What a section may be about: each verb fits each object. */
export interface Field {
  verbs: readonly Verb[];
  objects: readonly string[];
}

const words = (list: string) => list.split(',').map((word) => word.trim());
const field = (verbs: string, objects: string): Field => ({ verbs: words(verbs).map(verb), objects: words(objects) });

export const fields: readonly Field[] = [
  field(
    'planejar, anotar, organizar, dividir, revisar, montar, preparar, ordenar, completar, desenhar, separar, alinhar, atualizar, encurtar, retomar, discutir',
    'a pauta, o calendário, a lista de temas, o roteiro, o plano da semana, a agenda, o quadro de ideias, a ordem dos temas, o mapa de assuntos, a meta do mês, o resumo do plano, a fila de posts, cada etapa, o passo seguinte, o prazo da entrega, a divisão das tarefas',
  ),
  field(
    'escrever, cortar, reler, trocar, ajustar, testar, melhorar, encurtar, reescrever, limpar, mudar, conferir, revisar, lapidar, simplificar, começar',
    'o título, a primeira frase, o parágrafo longo, a legenda, a chamada final, o texto de apoio, cada subtítulo, a frase de abertura, o exemplo central, o fecho do texto, a palavra difícil, o trecho confuso, a lista de passos, a descrição curta, o convite ao leitor, o gancho inicial',
  ),
  field(
    'escolher, recortar, editar, trocar, testar, guardar, mostrar, alinhar, criar, salvar, comparar, simplificar, ajustar, renovar, revisar, separar',
    'a foto de capa, o fundo da imagem, a paleta de cores, o vídeo curto, a imagem de apoio, o desenho da capa, a luz da cena, o corte do vídeo, a fonte do texto, o quadro inicial, a moldura, o contraste, cada miniatura, a série de telas, o detalhe do produto, a cena do dia',
  ),
  field(
    'ler, ouvir, anotar, acolher, guardar, agradecer, retomar, resumir, esclarecer, valorizar, observar, entender, discutir, reunir, destacar, notar',
    'a dúvida comum, o comentário novo, a mensagem privada, o pedido do cliente, a crítica justa, o relato de uso, a pergunta da semana, o elogio sincero, a conversa aberta, o retorno do público, a história do cliente, cada sugestão, o ponto de vista, a queixa repetida, o motivo da escolha, a fala do leitor',
  ),
  field(
    'medir, comparar, anotar, observar, acompanhar, registrar, conferir, avaliar, rever, explicar, checar, resumir, analisar, guardar, entender, discutir',
    'o alcance do post, a taxa de resposta, o tempo de leitura, a origem das visitas, o clique no botão, a curva do mês, o total de conversas, a busca do leitor, o painel da semana, a página mais lida, o resultado do teste, a queda de interesse, cada sinal de melhora, o caminho do visitante, a volta do leitor, o efeito da mudança',
  ),
  field(
    'listar, agrupar, variar, encaixar, ligar, apontar, corrigir, testar, detalhar, revisar, trocar, comparar, explicar, renovar, limpar, reunir',
    'a palavra principal, o termo de busca, a intenção do leitor, o link interno, a página antiga, o assunto vizinho, o menu do site, a resposta direta, o nome da página, a descrição da página, o endereço curto, a lista de termos, o tema central, o conteúdo ligado, cada página do site, a ordem das partes',
  ),
  field(
    'apresentar, explicar, simplificar, mostrar, testar, encurtar, ajustar, destacar, revisar, oferecer, montar, adaptar, melhorar, preparar, divulgar, comparar',
    'a oferta da semana, o convite, a vitrine, o catálogo, o pedido online, o botão de contato, o formulário, a página de entrada, o teste gratuito, a lista de espera, a amostra, o kit de boas-vindas, cada novidade, o guia de uso, a seção de perguntas, o e-mail de entrada',
  ),
  field(
    'combinar, manter, simplificar, documentar, dividir, respeitar, ajustar, organizar, retomar, proteger, adaptar, aprovar, encurtar, facilitar, planejar, rever',
    'a reunião curta, o acordo da equipe, a tarefa do dia, o modelo de post, a pasta de arquivos, o guia de estilo, a troca de ideias, o ritmo da casa, a revisão final, o horário fixo, a pausa da tarde, o aviso ao grupo, a passagem de turno, o diário de testes, cada função, o registro do mês',
  ),
];

/** Who works. */
export const actors = words(
  'a equipe, o time, a loja, a marca, o dono, a dona, o gestor, a gestora, quem vende, quem cria, quem atende, quem escreve, o redator, a redatora, a agência, o lojista, a autora, o autor, o parceiro, a parceira, a sócia, o sócio, o novato, a novata, a consultora, o criador, a criadora, o grupo, a casa, o estúdio, a empresa, o projeto, o editor, a editora, quem planeja, quem coordena, o ateliê, a oficina, o estagiário, a diretora',
);

/** Who reads. */
export const audiences = words(
  'o leitor, a leitora, a cliente, o cliente, o público, quem lê, quem chega, o visitante, a visitante, a seguidora, o seguidor, quem compra, o novo contato, a comunidade, o vizinho, a vizinha, quem acompanha, o cliente antigo, a visita, o curioso, a curiosa, quem indica, quem assiste, quem comenta',
);

export const perceptions = words(
  'entende, percebe, lembra, nota, aceita, reconhece, valoriza, encontra, guarda, aproveita, sente, segue, aprende, descreve, comenta, compartilha, elogia, procura, confirma, espera',
);

export const benefits = words(
  'o caminho, o próximo passo, a diferença, o cuidado, a proposta, a ideia central, o valor do trabalho, a mensagem, o motivo, o tom da marca, a resposta, o assunto, a promessa, a história, o ganho prático, o detalhe, a intenção, a novidade, o benefício, o esforço, a lógica, a parte útil, o ponto de partida, a solução, o convite feito, o exemplo, a ligação, a clareza, o contexto, a dica',
);

export const times = words(
  'de manhã, logo cedo, no fim da tarde, antes do almoço, depois do café, a cada semana, a cada quinzena, no começo do mês, na terça, na quarta, na quinta, no sábado, no domingo, ao longo do dia, ao abrir o dia, ao fechar o dia, antes da reunião, depois da reunião, no intervalo, na véspera, na primeira hora, na volta do almoço, durante a pausa, em dias calmos, em dias cheios, nas férias, na baixa temporada, na alta temporada, no meio da semana, no fim do mês, antes de dormir, a qualquer hora, de tempos em tempos, todo dia, toda semana, todo mês, uma vez ao dia, hoje mesmo, amanhã cedo, sempre que possível, antes da entrega, depois da entrega, no primeiro teste, no último ajuste, nos dias úteis',
);

export const manners = words(
  'com calma, sem pressa, em voz alta, passo a passo, em poucas linhas, com exemplos reais, sem enfeite, com palavras simples, em dupla, com o grupo, por escrito, em blocos curtos, com atenção, com humor leve, em ordem, aos poucos, de forma direta, sem rodeios, com um modelo pronto, com olhos de leitor, em tom leve, com prazo folgado, sem culpa, com método, na prática, com foco, de ponta a ponta, sem perder o ritmo, com bom senso, com ajuda da equipe, em conjunto, por partes, com lápis e papel, em tela cheia, no papel',
);

/** States of a thing, in a form that fits both genders. */
export const states = words(
  'em dia, à vista, em ordem, ao alcance de todos, com nome claro, com dono certo, sem excesso, no lugar certo, em poucas partes, com data marcada, com sentido, de fácil leitura, em versão curta, com começo claro, sem ruído',
);

export const looks = words(
  'grande, simples, difícil, sem rumo, fora de hora, longe do leitor, fora do tom, sem dono, igual ao resto, sem brilho, sem fim, fora do plano',
);

export const successes = words(
  'funciona, ganha força, fica simples, rende bem, cresce, melhora, faz sentido, começa bem, flui, dura, avança, chega longe',
);

/** Nouns in the singular that go before `de {assunto}`. */
export const aspects = words(
  'calendário, roteiro, pauta, legenda, rotina, plano, lista, mapa, agenda, vitrine, catálogo, título, vídeo, foto, capa, resposta, convite, painel, resumo, modelo, método, teste, exemplo, diário, quadro, caminho, checklist, tutorial, glossário, ideia, série, campanha, estratégia, conversa, biblioteca, oficina, passeio, bastidor, narrativa',
);

/** Whom an article is for, in the plural. */
export const niches = words(
  'padarias, floriculturas, cafeterias, livrarias, papelarias, pet shops, barbearias, ateliês, escolas, cursos livres, hotéis, pousadas, restaurantes, bistrôs, docerias, confeitarias, sorveterias, mercearias, quitandas, costureiras, marceneiros, fotógrafos, músicos, arquitetos, decoradores, jardineiros, mercadinhos, brechós, sebos, oficinas, feirantes, artesãos, professores, escritores, produtoras, estúdios, agências, consultores, tradutores, viajantes, chaveiros, lavanderias, floristas, ceramistas, joalheiros, relojoeiros, queijarias, sítios, viveiros, museus, teatros, galerias, bandas, corais, podcasts, revistas, bibliotecas, condomínios, startups, coletivos',
);

/** What kind of business it is; fits every plural above. */
export const kinds = words(
  'do interior, da praia, do centro, da serra, de bairro, da capital, do campo, de família, de rua, em expansão, de esquina, com entrega, com encomendas, com loja online, com equipe curta, com fila na porta, com público jovem, com clientes fiéis, sem vitrine, por encomenda, com hora marcada, de cidade pequena, em mudança, com agenda cheia',
);
