<?php
/**
 * Page of the plugin.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Settings, test of the connection and diary, for people who may change the site's options. */
class Decola_Admin {

	const PAGE = 'decola';

	public static function register(): void {
		add_action( 'admin_menu', array( __CLASS__, 'add_page' ) );
		add_action( 'admin_post_decola_save', array( __CLASS__, 'save' ) );
		add_action( 'admin_post_decola_test', array( __CLASS__, 'test' ) );
		add_action( 'admin_post_decola_pickup', array( __CLASS__, 'pick_up' ) );
		add_filter( 'plugin_action_links_' . plugin_basename( DECOLA_FILE ), array( __CLASS__, 'link' ) );
	}

	public static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}

	public static function add_page(): void {
		add_options_page( DECOLA_NAME, DECOLA_NAME, 'manage_options', self::PAGE, array( __CLASS__, 'show' ) );
	}

	public static function link( array $links ): array {
		array_unshift( $links, '<a href="' . esc_url( self::url() ) . '">' . esc_html__( 'Configurações', 'decola' ) . '</a>' );
		return $links;
	}

	public static function save(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Você não pode mudar as configurações deste site.', 'decola' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'decola_save' );
		$token = isset( $_POST['decola_token'] ) ? sanitize_text_field( wp_unslash( $_POST['decola_token'] ) ) : '';
		// Empty means unchanged: the page never shows the token.
		if ( '' !== $token ) {
			Decola_Settings::save_token( $token );
		}
		$author = isset( $_POST['decola_author'] ) ? absint( $_POST['decola_author'] ) : 0;
		Decola_Settings::save(
			array(
				'author'       => Decola_Settings::may_write( $author ) ? $author : 0,
				'status'       => isset( $_POST['decola_status'] ) ? sanitize_key( $_POST['decola_status'] ) : 'publish',
				'category'     => isset( $_POST['decola_category'] ) ? absint( $_POST['decola_category'] ) : 0,
				'create_terms' => isset( $_POST['decola_create_terms'] ),
				'image'        => isset( $_POST['decola_image'] ) ? sanitize_key( $_POST['decola_image'] ) : 'optional',
				'pickup'       => isset( $_POST['decola_pickup'] ) ? sanitize_key( $_POST['decola_pickup'] ) : 'auto',
				'address'      => isset( $_POST['decola_service'] ) ? sanitize_text_field( wp_unslash( $_POST['decola_service'] ) ) : '',
			)
		);
		Decola_Settings::adopt_author( get_current_user_id() );
		Decola_Pickup::schedule();
		wp_safe_redirect( add_query_arg( 'decola_saved', '1', self::url() ) );
		exit;
	}

	public static function test(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Você não pode mudar as configurações deste site.', 'decola' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'decola_test' );
		set_transient( 'decola_test_' . get_current_user_id(), Decola_Connection::test(), MINUTE_IN_SECONDS );
		wp_safe_redirect( add_query_arg( 'decola_tested', '1', self::url() ) );
		exit;
	}

	/** “Buscar agora”. */
	public static function pick_up(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'Você não pode mudar as configurações deste site.', 'decola' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'decola_pickup' );
		// Before the articles come: they are saved by nobody.
		$user_id = get_current_user_id();
		$message = Decola_Pickup::ask( true );
		set_transient( 'decola_picked_up_' . $user_id, null === $message ? __( 'Outra busca está em andamento.', 'decola' ) : $message, MINUTE_IN_SECONDS );
		wp_safe_redirect( add_query_arg( 'decola_picked_up', '1', self::url() ) );
		exit;
	}

	public static function show(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		Decola_Schema::ensure();
		echo '<div class="wrap"><h1>' . esc_html( DECOLA_NAME ) . '</h1>';
		self::show_notices();
		self::show_form();
		self::show_test();
		self::show_pickup();
		self::show_diary();
		echo '</div>';
	}

	private static function show_notices(): void {
		// Shown after a redirect; changes nothing.
		if ( isset( $_GET['decola_saved'] ) ) {
			echo '<div class="notice notice-success"><p>' . esc_html__( 'Configurações salvas.', 'decola' ) . '</p></div>';
		}
		foreach ( Decola_Site::warnings() as $warning ) {
			echo '<div class="notice notice-warning inline"><p>' . esc_html( $warning ) . '</p></div>';
		}
	}

	private static function show_form(): void {
		$settings = Decola_Settings::all();
		$selected = Decola_Settings::author();
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="decola_save">';
		wp_nonce_field( 'decola_save' );
		echo '<table class="form-table" role="presentation">';

		self::row_start( 'decola-token', __( 'Token', 'decola' ) );
		echo '<input type="password" id="decola-token" name="decola_token" class="regular-text" autocomplete="new-password" value="">';
		self::description( '' === Decola_Settings::token() ? __( 'Cole aqui o token gerado no assistente da automação de blog.', 'decola' ) : __( 'Um token está salvo. Deixe vazio para mantê-lo.', 'decola' ) );
		self::row_end();

		self::row_start( 'decola-address', __( 'Endereço do webhook', 'decola' ) );
		echo '<input type="url" id="decola-address" class="large-text code" readonly onfocus="this.select()" value="' . esc_attr( Decola_Doors::addresses()[0] ) . '">';
		self::description( __( 'Copie este endereço para o assistente da automação de blog.', 'decola' ) );
		self::row_end();

		self::row_start( 'decola-author', __( 'Autor', 'decola' ) );
		echo '<select id="decola-author" name="decola_author">';
		foreach ( Decola_Settings::authors() as $user ) {
			self::option( (string) $user->ID, $user->display_name, (string) $selected );
		}
		echo '</select>';
		self::row_end();

		self::row_start( 'decola-status', __( 'Ao receber um artigo', 'decola' ) );
		echo '<select id="decola-status" name="decola_status">';
		self::option( 'publish', __( 'Publicar', 'decola' ), $settings['status'] );
		self::option( 'draft', __( 'Guardar como rascunho', 'decola' ), $settings['status'] );
		echo '</select>';
		self::row_end();

		self::row_start( 'decola-category', __( 'Categoria quando a do artigo não existe', 'decola' ) );
		wp_dropdown_categories(
			array(
				'id'              => 'decola-category',
				'name'            => 'decola_category',
				'selected'        => (int) $settings['category'],
				'hide_empty'      => 0,
				'show_option_all' => esc_html__( 'Categoria padrão do WordPress', 'decola' ),
			)
		);
		echo '<p><label><input type="checkbox" name="decola_create_terms" value="1"' . checked( $settings['create_terms'], true, false ) . '> ' . esc_html__( 'Criar categorias e tags que faltam', 'decola' ) . '</label></p>';
		self::row_end();

		self::row_start( 'decola-image', __( 'Imagem destacada', 'decola' ) );
		echo '<select id="decola-image" name="decola_image">';
		self::option( 'optional', __( 'Usar; publicar mesmo sem ela', 'decola' ), $settings['image'] );
		self::option( 'required', __( 'Usar; sem ela, guardar como rascunho', 'decola' ), $settings['image'] );
		self::option( 'none', __( 'Não usar', 'decola' ), $settings['image'] );
		echo '</select>';
		self::row_end();

		self::row_start( 'decola-pickup', __( 'Buscar artigos', 'decola' ) );
		echo '<select id="decola-pickup" name="decola_pickup">';
		self::option( 'auto', __( 'Automaticamente', 'decola' ), $settings['pickup'] );
		self::option( 'never', __( 'Nunca', 'decola' ), $settings['pickup'] );
		echo '</select>';
		self::description( __( 'A cada 15 minutos este site pergunta ao serviço se há artigos, para recebê-los mesmo quando um firewall barra o envio. Ele manda o endereço do site, as versões, as categorias, os autores e o resultado das entregas.', 'decola' ) );
		self::row_end();

		self::row_start( 'decola-service', __( 'Endereço do serviço', 'decola' ) );
		echo '<input type="url" id="decola-service" name="decola_service" class="regular-text code" placeholder="' . esc_attr( DECOLA_ADDRESS ) . '" value="' . esc_attr( $settings['address'] ) . '">';
		self::description( '' === DECOLA_ADDRESS ? __( 'O endereço em que você entra na sua conta, começando com https://.', 'decola' ) : __( 'Deixe vazio, a não ser que o suporte peça outro.', 'decola' ) );
		self::row_end();

		echo '</table>';
		submit_button( __( 'Salvar', 'decola' ) );
		echo '</form>';
	}

	private static function show_test(): void {
		echo '<h2>' . esc_html__( 'Conexão', 'decola' ) . '</h2><form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="decola_test">';
		wp_nonce_field( 'decola_test' );
		submit_button( __( 'Testar conexão', 'decola' ), 'secondary', 'decola-test', false );
		echo '</form>';
		$results = get_transient( 'decola_test_' . get_current_user_id() );
		if ( ! isset( $_GET['decola_tested'] ) || ! is_array( $results ) ) {
			return;
		}
		echo '<ul>';
		foreach ( $results as $result ) {
			echo '<li>' . ( $result['ok'] ? '&#9989; ' : '&#10060; ' ) . '<code>' . esc_html( $result['url'] ) . '</code> ' . esc_html( $result['message'] ) . '</li>';
		}
		echo '</ul>';
	}

	private static function show_pickup(): void {
		echo '<h2>' . esc_html__( 'Busca de artigos', 'decola' ) . '</h2>';
		if ( ! Decola_Pickup::is_on() ) {
			$missing = '' === Decola_Settings::address() ? __( 'Falta o endereço do serviço.', 'decola' ) : __( 'Falta o token.', 'decola' );
			echo '<p>' . esc_html( 'never' === Decola_Settings::all()['pickup'] ? __( 'Desligada.', 'decola' ) : $missing ) . '</p>';
			return;
		}
		$state  = Decola_Pickup::state();
		$format = get_option( 'date_format' ) . ' ' . get_option( 'time_format' );
		if ( $state['asked_at'] ) {
			/* translators: %s: date */
			echo '<p>' . esc_html( sprintf( __( 'Última busca: %s.', 'decola' ), (string) wp_date( $format, (int) $state['asked_at'] ) ) ) . ' ' . ( $state['ok'] ? '' : '&#9888; ' ) . esc_html( $state['message'] ) . '</p>';
		}
		$next = (int) wp_next_scheduled( Decola_Pickup::EVENT );
		if ( $next ) {
			/* translators: %s: date */
			echo '<p>' . esc_html( sprintf( __( 'Próxima busca: %s.', 'decola' ), (string) wp_date( $format, max( time(), $next ) ) ) ) . '</p>';
		}
		echo '<form method="post" action="' . esc_url( admin_url( 'admin-post.php' ) ) . '"><input type="hidden" name="action" value="decola_pickup">';
		wp_nonce_field( 'decola_pickup' );
		submit_button( __( 'Buscar agora', 'decola' ), 'secondary', 'decola-pick-up', false );
		echo '</form>';
		$message = get_transient( 'decola_picked_up_' . get_current_user_id() );
		if ( isset( $_GET['decola_picked_up'] ) && is_string( $message ) ) {
			echo '<div class="notice notice-info inline"><p>' . esc_html( $message ) . '</p></div>';
		}
	}

	private static function show_diary(): void {
		echo '<h2>' . esc_html__( 'Diário', 'decola' ) . '</h2>';
		$entries = Decola_Diary::entries();
		if ( ! $entries ) {
			echo '<p>' . esc_html__( 'Nenhum evento chegou ainda.', 'decola' ) . '</p>';
			return;
		}
		echo '<table class="widefat striped"><thead><tr><th>' . esc_html__( 'Quando', 'decola' ) . '</th><th>' . esc_html__( 'Evento', 'decola' ) . '</th><th>' . esc_html__( 'Artigo', 'decola' ) . '</th><th>' . esc_html__( 'Resultado', 'decola' ) . '</th></tr></thead><tbody>';
		$format = get_option( 'date_format' ) . ' ' . get_option( 'time_format' );
		foreach ( $entries as $entry ) {
			$article = '' === $entry->article_id ? null : Decola_Claims::article( $entry->article_id );
			$post    = $article && $article['post_id'] ? get_post( (int) $article['post_id'] ) : null;
			$link    = $post ? get_edit_post_link( $post->ID ) : null;
			echo '<tr><td>' . esc_html( (string) wp_date( $format, (int) $entry->created_at ) ) . '</td><td><code>' . esc_html( $entry->type ) . '</code></td><td>';
			if ( $link ) {
				echo '<a href="' . esc_url( $link ) . '">' . esc_html( get_the_title( $post ) ) . '</a>';
			}
			echo '</td><td>' . ( $entry->status < 400 ? '' : '&#9888; ' ) . esc_html( $entry->message ) . '</td></tr>';
		}
		echo '</tbody></table>';
	}

	private static function row_start( string $id, string $label ): void {
		echo '<tr><th scope="row"><label for="' . esc_attr( $id ) . '">' . esc_html( $label ) . '</label></th><td>';
	}

	private static function row_end(): void {
		echo '</td></tr>';
	}

	private static function description( string $text ): void {
		echo '<p class="description">' . esc_html( $text ) . '</p>';
	}

	private static function option( string $value, string $label, string $selected ): void {
		echo '<option value="' . esc_attr( $value ) . '"' . selected( $value, $selected, false ) . '>' . esc_html( $label ) . '</option>';
	}
}
