<?php
/**
 * Site Health.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Adds token, clock, last delivery, own door and the service's address to WordPress's Site Health. */
class Decola_Health {

	public static function register(): void {
		add_filter( 'site_status_tests', array( __CLASS__, 'tests' ) );
	}

	public static function tests( array $tests ): array {
		$tests['direct']['decola_token']    = self::test( __( 'Token do plugin de artigos', 'decola' ), 'token' );
		$tests['direct']['decola_clock']    = self::test( __( 'Relógio do servidor', 'decola' ), 'clock' );
		$tests['direct']['decola_delivery'] = self::test( __( 'Última entrega de artigo', 'decola' ), 'delivery' );
		$tests['direct']['decola_door']     = self::test( __( 'Endereço que recebe artigos', 'decola' ), 'door' );
		$tests['direct']['decola_pickup']   = self::test( __( 'Busca de artigos', 'decola' ), 'pickup' );
		return $tests;
	}

	private static function test( string $label, string $method ): array {
		return array(
			'label' => $label,
			'test'  => array( __CLASS__, $method ),
		);
	}

	public static function token(): array {
		if ( '' === Decola_Settings::token() ) {
			return self::result( 'token', 'critical', __( 'O plugin de artigos está sem token', 'decola' ), __( 'Cole o token na página de configurações do plugin: sem ele nenhum artigo chega.', 'decola' ) );
		}
		return Decola_Settings::has_short_token()
			? self::result( 'token', 'recommended', __( 'Token curto: gere um novo', 'decola' ), __( 'Um token com menos de 24 caracteres é mais fácil de adivinhar.', 'decola' ) )
			: self::result( 'token', 'good', __( 'O plugin de artigos tem um token', 'decola' ), '' );
	}

	public static function clock(): array {
		$difference = get_option( 'decola_clock' );
		if ( false === $difference ) {
			return self::result( 'clock', 'good', __( 'O relógio ainda não foi comparado', 'decola' ), __( 'Ele é comparado quando o primeiro evento chega.', 'decola' ) );
		}
		$minutes = (int) round( abs( (int) $difference ) / 60 );
		return abs( (int) $difference ) > Decola_Signature::TOLERANCE
			/* translators: %d: minutes */
			? self::result( 'clock', 'critical', sprintf( __( 'O relógio do servidor está %d min errado', 'decola' ), $minutes ), __( 'Peça à hospedagem que acerte o relógio: eventos com mais de 5 minutos de diferença são recusados.', 'decola' ) )
			: self::result( 'clock', 'good', __( 'O relógio do servidor está certo', 'decola' ), '' );
	}

	public static function delivery(): array {
		$last = Decola_Diary::last_delivery();
		if ( ! $last ) {
			return self::result( 'delivery', 'good', __( 'Nenhum artigo foi entregue ainda', 'decola' ), '' );
		}
		$when = wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), (int) $last->created_at );
		return $last->status < 400
			/* translators: %s: date */
			? self::result( 'delivery', 'good', sprintf( __( 'A última entrega funcionou (%s)', 'decola' ), $when ), $last->message )
			/* translators: %s: date */
			: self::result( 'delivery', 'recommended', sprintf( __( 'A última entrega foi recusada (%s)', 'decola' ), $when ), $last->message );
	}

	public static function door(): array {
		if ( '' === Decola_Settings::token() ) {
			return self::result( 'door', 'recommended', __( 'O endereço que recebe artigos não pode ser testado sem token', 'decola' ), '' );
		}
		$failures = array();
		foreach ( Decola_Doors::addresses() as $url ) {
			$result = Decola_Connection::ping( $url );
			if ( $result['ok'] ) {
				return self::result( 'door', 'good', __( 'O endereço que recebe artigos funciona', 'decola' ), $url );
			}
			$failures[] = $url . ': ' . $result['message'];
		}
		return self::result( 'door', 'critical', __( 'Este site não alcança o endereço que recebe artigos', 'decola' ), implode( ' ', $failures ) );
	}

	/** Whether this site reaches the service, and is known there. */
	public static function pickup(): array {
		if ( ! Decola_Pickup::is_on() ) {
			return 'never' === Decola_Settings::all()['pickup']
				? self::result( 'pickup', 'good', __( 'A busca de artigos está desligada', 'decola' ), '' )
				: self::result( 'pickup', 'recommended', __( 'A busca de artigos não pode ser testada sem token e endereço do serviço', 'decola' ), '' );
		}
		$probe = Decola_Pickup::probe();
		return $probe['ok']
			? self::result( 'pickup', 'good', __( 'Este site alcança o serviço e busca artigos', 'decola' ), Decola_Settings::address() )
			: self::result( 'pickup', 'recommended', __( 'A busca de artigos não funciona', 'decola' ), $probe['message'] );
	}

	private static function result( string $name, string $status, string $label, string $description ): array {
		return array(
			'label'       => $label,
			'status'      => $status,
			'badge'       => array(
				'label' => DECOLA_NAME,
				'color' => 'blue',
			),
			'description' => '<p>' . esc_html( $description ) . '</p>',
			'actions'     => '<p><a href="' . esc_url( Decola_Admin::url() ) . '">' . esc_html__( 'Configurações do plugin', 'decola' ) . '</a></p>',
			'test'        => 'decola_' . $name,
		);
	}
}
