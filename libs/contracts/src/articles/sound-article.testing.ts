import type { ArticleBlock } from './article-text.js';
import type { GateArticle, GateFacts } from './gate.js';

const heading = (text: string, level = 2): ArticleBlock => ({ kind: 'heading', level, text });
const paragraph = (text: string): ArticleBlock => ({ kind: 'paragraph', text });
const item = (text: string): ArticleBlock => ({ kind: 'item', text });

/** An article that breaks no rule of the gate. Specs break one rule each. */
export const soundArticle: GateArticle = {
  title: 'Hashtag local: como a loja do bairro é achada por quem mora perto',
  slug: 'hashtag-local-loja-do-bairro',
  metaTitle: 'Hashtag local para a loja do bairro ser achada',
  metaDescription:
    'Veja como escolher a hashtag local certa, testar poucas de cada vez e ser achado por quem mora perto da sua loja, sem truques.',
  excerpt:
    'A hashtag local põe a loja na frente de quem mora perto. Aprenda a escolher poucas, testar com calma e guardar as que trazem gente de verdade.',
  category: 'Instagram',
  tags: ['hashtag local', 'loja de bairro', 'alcance'],
  focusKeyword: 'hashtag local',
  text: {
    internalLinks: 2,
    deadLinks: [],
    blocks: [
      paragraph(
        'Quem passa na sua porta todo dia nem sempre sabe que a loja tem um perfil. A hashtag local ajuda a mudar isso. Ela junta, em um só lugar, o que as pessoas de uma rua, de um bairro ou de uma cidade postam. Quando a sua foto está lá, ela chega a quem pode vir a pé.',
      ),
      paragraph(
        'Não é mágica, e não pede verba. Pede olhar, um pouco de método e calma. A seguir você vê como achar as marcas certas, como usar poucas de cada vez e como saber se elas trazem gente nova para o balcão.',
      ),
      heading('O que faz uma hashtag ser do bairro'),
      paragraph(
        'Uma marca grande, com o nome de um tema, junta gente do mundo todo. A sua foto fica no topo por um instante e some. Já a marca do bairro tem menos fotos novas por dia. A sua fica ali por mais tempo, e quem olha mora perto. É essa troca que vale: menos olhos, mas os olhos certos.',
      ),
      paragraph(
        'Há três tipos que dão certo. O primeiro é o nome do lugar: a rua, a praça, o bairro, a cidade. O segundo une o lugar e o que você vende, como o pão da vila ou a flor do centro. O terceiro é o da gente: a feira de sábado, o time da escola, a festa da igreja. Esse último é o mais forte, pois fala do que as pessoas já vivem.',
      ),
      paragraph(
        'Antes de usar uma marca, abra e veja o que há nela. As fotos são novas? São de gente de perto? Há loja como a sua ali, e as pessoas falam com ela? Se a resposta for sim, anote. Se só há fotos velhas, ou de outra cidade com o mesmo nome, deixe de lado.',
      ),
      heading('Como montar a sua lista em uma tarde'),
      paragraph(
        'Pegue uma folha e faça três colunas, uma para cada tipo. Olhe o perfil de cinco clientes que você conhece pelo nome. Veja o que eles usam quando postam na rua. Olhe também o perfil da padaria, da escola e do salão ao lado. Em pouco tempo a folha enche.',
      ),
      paragraph('Depois, risque sem dó. Fica na lista só o que passa por estas perguntas:'),
      item('Quem posta ali mora ou trabalha perto da loja?'),
      item('Houve foto nova nos últimos sete dias?'),
      item('A sua foto faria sentido ao lado das outras?'),
      item('Você teria coragem de dizer essa marca em voz alta no balcão?'),
      paragraph(
        'A última pergunta parece boba, mas salva muita gente. Marca que ninguém fala é marca que ninguém busca. Se você tem de explicar o que ela quer dizer, ela não serve.',
      ),
      heading('Poucas de cada vez, e sempre com um motivo'),
      paragraph(
        'Muita gente cola uma lista enorme em toda foto. O efeito é o de quem grita no meio da feira: todo mundo ouve, e ninguém presta atenção. Use de três a cinco. Ponha uma do lugar, uma do que você vende e uma da gente. Se a foto pede mais uma, tudo bem. Se não pede, pare aí.',
      ),
      paragraph(
        'Mude a escolha de acordo com a foto. O bolo de domingo não leva as mesmas marcas da fila de segunda. Guarde no celular alguns grupos prontos, com um nome claro para cada um. Assim você não pensa do zero toda vez, e também não repete tudo sem ver.',
      ),
      heading('Onde pôr as marcas', 3),
      paragraph(
        'No fim da legenda elas não atrapalham a leitura. Se o texto é curto, uma delas pode fazer parte da frase. Escreva as palavras com a primeira letra grande quando a marca junta mais de uma: fica mais fácil de ler, e quem usa leitor de tela agradece.',
      ),
      paragraph(
        'Marque também o lugar da foto. As duas coisas andam juntas: o lugar diz onde você está, e a marca diz de que conversa você faz parte. Quem chega por um caminho costuma voltar pelo outro.',
      ),
      heading('Como saber se está dando certo'),
      paragraph(
        'Não olhe só para o número de curtidas. Curtida de longe não compra pão. Olhe quem é novo: abra o perfil de quem curtiu e veja se a pessoa é da região. Conte, a cada semana, quantas dessas há. Escreva o número na mesma folha da lista.',
      ),
      paragraph(
        'O próprio painel do perfil mostra de onde vêm as contas que viram a foto. Veja a cidade e veja se ela muda com o tempo. E há um jeito antigo que funciona muito bem: pergunte. Quando um rosto novo entra, diga bom dia e pergunte como achou a loja. Anote a resposta.',
      ),
      paragraph(
        'Troque uma marca por vez. Se você muda tudo no mesmo dia, não sabe o que ajudou. Dê duas semanas para cada troca. No fim desse prazo, a que não trouxe ninguém sai, e uma nova entra no lugar dela.',
      ),
      heading('Entre na conversa, não só na lista'),
      paragraph(
        'A marca abre a porta, mas quem segura a visita é você. Reserve dez minutos por dia para olhar as fotos novas do bairro. Comente onde tem algo bom a dizer. Elogie a vitrine do vizinho. Ajude quem pergunta onde fica a feira. Sem vender nada. As pessoas lembram de quem foi gentil, e vão ver quem é.',
      ),
      paragraph(
        'Convide os seus clientes a usar a marca da loja também. Um cartaz simples no balcão já basta. Quem posta uma foto do seu prato faz mais por você do que dez anúncios. Peça licença e mostre essa foto no seu perfil, com o nome de quem fez. A pessoa fica feliz e conta para os amigos.',
      ),
      heading('Três erros que custam caro'),
      paragraph(
        'O primeiro é pegar carona em um tema que não é seu só porque ele está em alta. Quem chega por engano vai embora na hora. O segundo é usar marcas que o app esconde. Se a busca não mostra fotos novas, troque. O terceiro é parar cedo. O bairro leva um tempo para notar que você está ali todo dia.',
      ),
      paragraph(
        'Há ainda um cuidado com o nome. Leia a marca em voz alta, sem os espaços. Às vezes duas palavras juntas formam uma terceira que ninguém quer ver ao lado da loja. Peça para outra pessoa ler também.',
      ),
      heading('Um plano para a primeira semana'),
      paragraph(
        'Na segunda, faça a folha com as três colunas. Na terça, risque e monte os grupos no celular. De quarta a sábado, poste uma foto por dia, cada uma com um grupo. No domingo, sente com um café e olhe quem chegou. É só isso. O resto do mês é repetir, com mais calma e menos dúvida.',
      ),
      paragraph(
        'Guarde a folha em um lugar que você vê. Em um mês ela conta uma história: o que o bairro busca, o que ele gosta e o que ele ainda não sabe que você tem. Essa história é sua, e nenhuma lista pronta da internet pode dar a você.',
      ),
    ],
  },
};

/** What the gate is told about the sound article. */
export const soundFacts: GateFacts = {
  audience: 'editorial',
  categories: ['Instagram', 'Marketing digital'],
  given: [],
  inventorySize: 12,
  earlier: [],
  now: new Date('2026-11-22T12:00:00Z'),
};
